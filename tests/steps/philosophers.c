#include <pthread.h>

static pthread_mutex_t forks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int eats0, eats1, eats2;

static void *zero(void *argument)
{
    while (1) {
        pthread_mutex_lock(&forks[0]);
        pthread_mutex_lock(&forks[1]);
        eats0 = 1;
        eats0 = 0;
        pthread_mutex_unlock(&forks[1]);
        pthread_mutex_unlock(&forks[0]);
    }
    return argument;
}

static void *one(void *argument)
{
    while (1) {
        pthread_mutex_lock(&forks[1]);
        pthread_mutex_lock(&forks[2]);
        eats1 = 1;
        eats1 = 0;
        pthread_mutex_unlock(&forks[2]);
        pthread_mutex_unlock(&forks[1]);
    }
    return argument;
}

static void *two(void *argument)
{
    while (1) {
#ifdef WRONG
        pthread_mutex_lock(&forks[2]);
        pthread_mutex_lock(&forks[0]);
#else
        pthread_mutex_lock(&forks[0]);
        pthread_mutex_lock(&forks[2]);
#endif
        eats2 = 1;
        eats2 = 0;
        pthread_mutex_unlock(&forks[0]);
        pthread_mutex_unlock(&forks[2]);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, NULL, zero, NULL);
    pthread_create(&b, NULL, one, NULL);
    pthread_create(&c, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
