/* Two clients of one lock: nothing grants it in the order of requests. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int wants[2], served[2];

static void *client(void *number)
{
    int me = number != 0;
    for (;;) {
        wants[me] = 1;
        pthread_mutex_lock(&m);
        served[me] = 1;
        wants[me] = 0; served[me] = 0;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
