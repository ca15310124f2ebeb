/* A lift: one thread drives the motor, the other the door; the lock of the cabin keeps them apart. */
#include <pthread.h>
#include <unistd.h>
#include "lift.h"

int floor_now = 0;
pthread_mutex_t cabin = PTHREAD_MUTEX_INITIALIZER;

int is_open(int door)
{
    return door > 0;
}

int is_moving(int speed)
{
    return speed != 0;
}

void *motor(void *arg)
{
    int speed = 0;

    (void)arg;
begin_motor:
    while (floor_now < FLOORS) {
        pthread_mutex_lock(&cabin);
        speed = 1;
        sleep(2);
        floor_now++;
        speed = 0;
        pthread_mutex_unlock(&cabin);
    }
end_motor:
    return NULL;
}

void *door_keeper(void *arg)
{
    int door = 0;

    (void)arg;
begin_door:
    for (int visit = 0; visit < 2; visit++) {
        pthread_mutex_lock(&cabin);
        door = 100;
        sleep(5);
        door = 0;
        pthread_mutex_unlock(&cabin);
    }
end_door:
    return NULL;
}

int main(void)
{
    pthread_t drive, keep;

    pthread_create(&drive, NULL, motor, NULL);
    pthread_create(&keep, NULL, door_keeper, NULL);
    pthread_join(drive, NULL);
    pthread_join(keep, NULL);
    return 0;
}
