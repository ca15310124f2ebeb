/* Waiting for a signal: between a look at the flag and `pause`, a signal is missed. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t got;
int served;

static void on_user(int sig)
{
    (void)sig;
    got = 1;
}

int main(void)
{
    sigset_t block, old;
    struct sigaction action = { .sa_handler = on_user };
    sigaction(SIGUSR1, &action, 0);
    sigemptyset(&block);
    sigaddset(&block, SIGUSR1);
    sigprocmask(SIG_BLOCK, &block, &old);
    for (;;) {
#ifdef WRONG
        sigprocmask(SIG_SETMASK, &old, 0);
        if (!got)
            pause();
        sigprocmask(SIG_BLOCK, &block, 0);
#else
        while (!got)
            sigsuspend(&old);
#endif
        got = 0;
        served = 1;
        served = 0;
    }
}
