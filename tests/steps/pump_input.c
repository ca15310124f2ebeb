#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum command { NONE, START, STOP };

static enum command pending;
static int running, speed, quit;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void post(enum command c)
{
    pthread_mutex_lock(&lock);
    pending = c;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
}

static void *motor(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!quit) {
        while (pending == NONE && !quit)
            pthread_cond_wait(&ready, &lock);
        if (pending == START && !running) {
            running = 1;
            speed = 10;
        } else if (pending == STOP) {
            speed = 0;
            running = 0;
        }
        pending = NONE;
    }
#ifndef WRONG
    speed = 0;
#endif
    running = 0;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    char line[16];
    if (pthread_create(&t, NULL, motor, NULL) != 0)
        return 1;
    while (fgets(line, sizeof line, stdin)) {
        if (strncmp(line, "start", 5) == 0)
            post(START);
        else if (strncmp(line, "stop", 4) == 0)
            post(STOP);
    }
    pthread_mutex_lock(&lock);
    quit = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return speed;
}
