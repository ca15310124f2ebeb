/* A main loop that a signal ends, as daemons have it. The wrong one clears a stop that came meanwhile. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t stop;
int done, busy;

static void on_stop(int sig)
{
    (void)sig;
    stop = 1;
}

static int install(int sig, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    return sigaction(sig, &action, NULL);
}

int main(void)
{
    if (install(SIGINT, on_stop) == -1 || install(SIGTERM, on_stop) == -1) {
        perror("sigaction");
        return 1;
    }
#ifdef WRONG
    stop = 0;
#endif
    while (!stop) {
        busy = 1;
        busy = 0;
    }
    done = 1;
    return 0;
}
