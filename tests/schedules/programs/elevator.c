/* A lift and two passengers: it moves only with its door closed.
 * WRONG: the door is opened without the lock. */
#include <pthread.h>

struct lift {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    int floor, wanted;
};

int moving, open_door;
static struct lift lift = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, -1 };
static int served;

static void *machine(void *unused)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lift.lock);
        if (lift.wanted >= 0 && lift.wanted != lift.floor) {
            moving = 1;
            lift.floor = lift.wanted;
            moving = 0;
            pthread_cond_broadcast(&lift.arrived);
        }
        pthread_mutex_unlock(&lift.lock);
    }
    return unused;
}

static void *passenger(void *argument)
{
    int to = *(int *)argument;
    pthread_mutex_lock(&lift.lock);
    lift.wanted = to;
    while (lift.floor != to)
        pthread_cond_wait(&lift.arrived, &lift.lock);
#ifdef WRONG
    pthread_mutex_unlock(&lift.lock);
    open_door = 1;
    open_door = 0;
    pthread_mutex_lock(&lift.lock);
#else
    open_door = 1;
    open_door = 0;
#endif
    served++;
    pthread_mutex_unlock(&lift.lock);
    return 0;
}

int main(void)
{
    pthread_t m, p, q;
    int one = 1, two = 2;
    pthread_create(&m, 0, machine, 0);
    pthread_create(&p, 0, passenger, &one);
    pthread_create(&q, 0, passenger, &two);
    pthread_join(m, 0);
    return 0;
}
