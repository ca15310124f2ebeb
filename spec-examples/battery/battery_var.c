/* The drones of battery_simple.c with local counters. Each flies two missions; the areas are entered
 * anew in each, with a full battery, and left when the drone has landed. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#define MISSIONS 2

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
    int mission, energy;

    (void)arg;
    for (mission = 0; mission < MISSIONS; mission++) {
        energy = 4;
    takeoff1:
        while (energy > 2) {
            energy--;
            usleep(1000);
        }
    landed1:
        printf("drone 1 is back from mission %d\n", mission);
    }
    return NULL;
}

void *drone2(void *arg)
{
    int mission, energy;

    (void)arg;
    for (mission = 0; mission < MISSIONS; mission++) {
        energy = 6;
    takeoff2:
        while (energy > 4) {
            energy -= 1;
            usleep(1000);
        }
    landed2:
        printf("drone 2 is back from mission %d\n", mission);
    }
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
