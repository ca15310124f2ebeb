/* What the loop has stored in its last iteration but one is used after it. */
#include <pthread.h>

int x, n;

static void *reader(void *unused)
{
    int old = 5, now;
    while (1) {
        now = x;
        if (now == 2)
            break;
        old = now;
    }
    n = old;
    return unused;
}

static void *writer(void *unused)
{
    x = 1;
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
