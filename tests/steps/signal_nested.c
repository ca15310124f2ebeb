/* Two handlers of several steps: one comes in the midst of the other, if its mask lets it. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t inside;
int seen;

static void first(int sig)
{
    (void)sig;
    inside = 1;
    inside = 0;
}

static void second(int sig)
{
    (void)sig;
    if (inside)
        seen = 1;
}

static void install(int sig, void (*handler)(int))
{
    struct sigaction action;
    action.sa_handler = handler;
#ifdef WRONG
    sigemptyset(&action.sa_mask);
#else
    sigfillset(&action.sa_mask);
#endif
    action.sa_flags = 0;
    sigaction(sig, &action, NULL);
}

int main(void)
{
    install(SIGUSR1, first);
    install(SIGUSR2, second);
    for (;;)
        pause();
}
