/* A daemon that loads its configuration again, and is not ended in the midst of that. */
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t again;
static int loading;
int half;

static void on_term(int sig)
{
    if (loading)
        half = 1;
    signal(sig, SIG_DFL);
    raise(sig);
}

static void on_hup(int sig)
{
    again = 1;
    signal(sig, on_hup);
}

int main(void)
{
    sigset_t term;
#ifndef WRONG
    sigset_t old;
#endif
    signal(SIGHUP, on_hup);
    signal(SIGTERM, on_term);
    signal(SIGPIPE, SIG_IGN);
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    for (;;) {
        if (again) {
            again = 0;
#ifndef WRONG
            sigprocmask(SIG_BLOCK, &term, &old);
#endif
            loading = 1;
            loading = 0;
#ifndef WRONG
            sigprocmask(SIG_SETMASK, &old, NULL);
#endif
        }
        pause();
    }
}
