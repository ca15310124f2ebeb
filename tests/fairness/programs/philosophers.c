/* Three philosophers and three forks (Dijkstra 1965, told by Hoare). LEFT: each takes the left fork first.
   BACK: each takes the left one first, and puts it back when the right one is taken. Else: the fork with the
   lower number first. */
#include <pthread.h>

_Bool hungry, eats;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;

#ifdef BACK
#define TAKE(left, right, then)                 \
    while (1) {                                 \
        pthread_mutex_lock(left);               \
        if (pthread_mutex_trylock(right) == 0) { \
            then pthread_mutex_unlock(right);   \
        }                                       \
        pthread_mutex_unlock(left);             \
    }
#else
#define TAKE(left, right, then)                 \
    while (1) {                                 \
        pthread_mutex_lock(left);               \
        pthread_mutex_lock(right);              \
        then pthread_mutex_unlock(right);       \
        pthread_mutex_unlock(left);             \
    }
#endif

void *first(void *argument)
{
#ifdef BACK
    TAKE(&a, &b, eats = 1; eats = 0;)
#else
    while (1) {
        hungry = 1;
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        eats = 1;
        hungry = 0;
        eats = 0;
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
#endif
    return argument;
}

void *second(void *argument)
{
#ifdef BACK
    TAKE(&b, &c, eats = 1; eats = 0;)
#else
    TAKE(&b, &c, )
#endif
    return argument;
}

void *third(void *argument)
{
#if defined BACK
    TAKE(&c, &a, eats = 1; eats = 0;)
#elif defined LEFT
    TAKE(&c, &a, )
#else
    TAKE(&a, &c, )
#endif
    return argument;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, 0, first, 0);
    pthread_create(&two, 0, second, 0);
    pthread_create(&three, 0, third, 0);
    pthread_join(one, 0);
    return 0;
}
