/* Readers and a writer with a monitor that prefers the writer; with -DREADERS it prefers the readers. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, waiting, writing;
_Bool asks, writes;
void *reader(void *a)
{
    while (1) {
        pthread_mutex_lock(&m);
#ifdef READERS
        while (writing)
#else
        while (writing || waiting)
#endif
            pthread_cond_wait(&changed, &m);
        readers++;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        readers--;
        if (!readers)
            pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return a;
}
void *writer(void *a)
{
    while (1) {
        pthread_mutex_lock(&m);
        asks = 1;
        waiting = 1;
        while (readers || writing)
            pthread_cond_wait(&changed, &m);
        waiting = 0;
        writing = 1;
        writes = 1;
        asks = 0;
        writes = 0;
        writing = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, reader, 0);
#ifdef READERS
    pthread_create(&b, 0, reader, 0);
#endif
    pthread_create(&c, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(c, 0);
    return 0;
}
