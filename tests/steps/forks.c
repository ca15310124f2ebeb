#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
int eats0, eats1;

static void *first(void *argument)
{
    while (1) {
        pthread_mutex_lock(&left);
        pthread_mutex_lock(&right);
        eats0 = 1;
        eats0 = 0;
        pthread_mutex_unlock(&right);
        pthread_mutex_unlock(&left);
    }
    return argument;
}

static void *second(void *argument)
{
    while (1) {
#ifdef WRONG
        pthread_mutex_lock(&right);
        pthread_mutex_lock(&left);
#else
        pthread_mutex_lock(&left);
        pthread_mutex_lock(&right);
#endif
        eats1 = 1;
        eats1 = 0;
        pthread_mutex_unlock(&right);
        pthread_mutex_unlock(&left);
    }
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
