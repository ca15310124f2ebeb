/* Two drones drain their batteries. A single charger stands ready, so battery 1 below 3 and battery 2
 * below 5 must not happen together; nothing in the program prevents it. The counters are global. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

int battery1 = 5;
int battery2 = 6;

int below_three(int energy)
{
    return energy < 3;
}

int below_five(int energy)
{
    return energy < 5;
}

void *drone1(void *arg)
{
    (void)arg;
    while (battery1 > 1) {
        battery1--;
        usleep(1000);
    }
    printf("drone 1 has landed\n");
    return NULL;
}

void *drone2(void *arg)
{
    (void)arg;
    while (battery2 > 2) {
        battery2 -= 1;
        usleep(1000);
    }
    printf("drone 2 has landed\n");
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, drone1, NULL);
    pthread_create(&second, NULL, drone2, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
