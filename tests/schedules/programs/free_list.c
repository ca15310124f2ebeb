/* A pool of two buffers with a map of those in use.
 * WRONG: a buffer is marked as used only after it was found free. */
#include <pthread.h>

#define BUFFERS 2

int used[BUFFERS];
int users[BUFFERS];
pthread_mutex_t pool = PTHREAD_MUTEX_INITIALIZER;

static int allocate(void)
{
    int i, found = -1;
    pthread_mutex_lock(&pool);
    for (i = 0; i < BUFFERS; i++)
        if (!used[i]) {
            found = i;
            break;
        }
#ifdef WRONG
    pthread_mutex_unlock(&pool);
    if (found >= 0)
        used[found] = 1;
#else
    if (found >= 0)
        used[found] = 1;
    pthread_mutex_unlock(&pool);
#endif
    return found;
}

static void *client(void *unused)
{
    int mine = allocate();
    if (mine >= 0) {
        users[mine]++;
        users[mine]--;
        pthread_mutex_lock(&pool);
        used[mine] = 0;
        pthread_mutex_unlock(&pool);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
