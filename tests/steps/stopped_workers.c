/* Workers that a signal ends. */
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int jobs, done;

static void on_int(int sig)
{
    (void)sig;
    stop = 1;
}

static void *worker(void *argument)
{
    while (!stop) {
        pthread_mutex_lock(&lock);
        if (jobs < 3)
            jobs++;
#ifdef WRONG
        if (stop)
            return argument;
#endif
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    signal(SIGINT, on_int);
    pthread_create(&thread, NULL, worker, NULL);
    while (!stop) {
        pthread_mutex_lock(&lock);
        if (jobs)
            jobs--;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
    done = 1;
    return 0;
}
