/* A server answers each request.
 * WRONG: it may take two requests for one. */
#include <pthread.h>

int request, answer;
static int pending;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

static void *client(void *unused)
{
    pthread_mutex_lock(&mutex);
    request++;
    pending++;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *server(void *unused)
{
    int served = 0;
    while (served < 2) {
        pthread_mutex_lock(&mutex);
        while (pending == 0)
            pthread_cond_wait(&arrived, &mutex);
#ifdef WRONG
        pending = 0;
#else
        pending--;
#endif
        answer++;
        served++;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_t s, a, b;
    pthread_create(&s, 0, server, 0);
    pthread_create(&a, 0, client, 0);
    pthread_create(&b, 0, client, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(s, 0);
    return 0;
}
