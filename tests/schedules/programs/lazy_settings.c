/* A singleton, created lazily with double-checked locking.
 * WRONG: the pointer is published before the fields are set. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct settings {
    int width, height;
};

static struct settings *volatile instance;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int created;

static struct settings *get(void)
{
    if (instance == NULL) {
        pthread_mutex_lock(&lock);
        if (instance == NULL) {
            struct settings *s = malloc(sizeof(struct settings));
            if (s == NULL) {
                pthread_mutex_unlock(&lock);
                exit(1);
            }
            s->width = 0;
            s->height = 0;
#ifdef WRONG
            instance = s;
            s->width = 80;
            s->height = 25;
#else
            s->width = 80;
            s->height = 25;
            instance = s;
#endif
            created++;
        }
        pthread_mutex_unlock(&lock);
    }
    return instance;
}

static void *user(void *arg)
{
    struct settings *s = get();
    assert(s->width == 80);
    assert(s->height == 25);
    return arg;
}

int main(void)
{
    pthread_t t[3];
    int i;
    for (i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, user, NULL);
    for (i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(created == 1);
    free(instance);
    return 0;
}
