/* A reader copies two values and takes them only if the writer's sequence number did not change.
 * WRONG: the reader does not look at the number again. */
#include <assert.h>
#include <pthread.h>

static unsigned sequence;
static int x, y;

static void *writer(void *unused)
{
    sequence = sequence + 1;
    x = 1;
    y = 1;
    sequence = sequence + 1;
    return unused;
}

static int snapshot(int *a, int *b)
{
    unsigned before = sequence;
    if (before % 2)
        return 0;
    *a = x;
    *b = y;
#ifdef WRONG
    return 1;
#else
    return sequence == before;
#endif
}

static void *reader(void *unused)
{
    int a = 0, b = 0, tries;
    for (tries = 0; tries < 2; tries++)
        if (snapshot(&a, &b)) {
            assert(a == b);
            break;
        }
    return unused;
}

int main(void)
{
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
