/* A timer that its handler sets again, and an end by the user. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t ticks, quit;
int state, handled;

static void on_alarm(int sig)
{
    (void)sig;
    ticks = 1;
#ifndef WRONG
    alarm(1);
#endif
}

static void on_quit(int sig)
{
    (void)sig;
    quit = 1;
}

int main(void)
{
    signal(SIGALRM, on_alarm);
    if (signal(SIGINT, on_quit) == SIG_ERR)
        return 1;
    alarm(1);
    while (!quit) {
        if (ticks) {
            ticks = 0;
            handled = 1;
            handled = 0;
        }
    }
    state = 2;
    return 0;
}
