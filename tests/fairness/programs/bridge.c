/* A bridge with one lane: cars from the left come as long as others from the left are on it. -DTURNS: they let one from the right go first if it waits. */
#include <pthread.h>
int on_left, on_right;
int right_waits, turn_right;
_Bool asks, crosses;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t empty = PTHREAD_COND_INITIALIZER;
void *left(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
#ifdef TURNS
        while (on_right > 0 || right_waits)
#else
        while (on_right > 0)
#endif
            pthread_cond_wait(&empty, &m);
        on_left++;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        on_left--;
        if (on_left == 0)
            pthread_cond_broadcast(&empty);
        pthread_mutex_unlock(&m);
    }
    return argument;
}
void *right(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        asks = 1;
        right_waits = 1;
        while (on_left > 0)
            pthread_cond_wait(&empty, &m);
        right_waits = 0;
        on_right++;
        crosses = 1;
        asks = 0;
        crosses = 0;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        on_right--;
        pthread_cond_broadcast(&empty);
        pthread_mutex_unlock(&m);
    }
    return argument;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, left, 0);
    pthread_create(&c, 0, right, 0);
    pthread_join(a, 0);
    return 0;
}
