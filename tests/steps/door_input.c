#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
enum { CLOSED, OPENING, OPEN, CLOSING };
static atomic_int door = CLOSED;
static atomic_int request;
static atomic_int quit;
static atomic_int lamp;
static void *mover(void *arg)
{
    (void)arg;
    while (!quit) {
        int r = atomic_exchange(&request, 0);
        if (r == 'o' && door == CLOSED) { door = OPENING; usleep(100); door = OPEN; }
        else if (r == 'c' && door == OPEN) { door = CLOSING; usleep(100); door = CLOSED; }
        else usleep(10);
    }
#ifndef WRONG
    if (door == OPEN) { door = CLOSING; door = CLOSED; }
#endif
    return 0;
}
static void *lamps(void *arg)
{
    (void)arg;
    while (!quit) {
        lamp = door == OPENING || door == CLOSING;
        usleep(50);
    }
    lamp = 0;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    char c;
    pthread_create(&a, 0, mover, 0);
    pthread_create(&b, 0, lamps, 0);
    while (read(0, &c, 1) == 1) {
        if (c == 'q') break;
        if (c == 'o' || c == 'c') request = c;
    }
    quit = 1;
    pthread_join(a, 0);
    pthread_join(b, 0);
    return door;
}
