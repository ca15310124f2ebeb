/* A light changes for ever; a car drives when it sees green. With -DLOOKS the driver looks once and does something else when it is red. */
#include <pthread.h>
enum colour { RED, GREEN } light;
_Bool waits, drives;
int songs;
void *control(void *argument)
{
    for (;;) {
        light = GREEN;
        light = RED;
    }
    return argument;
}
void *car(void *argument)
{
    for (;;) {
        waits = 1;
#ifdef LOOKS
        if (light != GREEN) {
            songs++;
            continue;
        }
#else
        while (light != GREEN)
            ;
#endif
        drives = 1;
        waits = 0;
        drives = 0;
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, control, 0);
    pthread_create(&b, 0, car, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
