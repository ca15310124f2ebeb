/* Readers share, a writer is alone: the first reader locks the writers out, the last lets them in.
 * WRONG: the number of readers is changed outside of the lock. */
#include <pthread.h>

pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
int readers;
int writing, reading1, reading2;

static void enter(void)
{
#ifndef WRONG
    pthread_mutex_lock(&door);
#endif
    readers++;
    if (readers == 1)
        pthread_mutex_lock(&room);
#ifndef WRONG
    pthread_mutex_unlock(&door);
#endif
}

static void leave(void)
{
    pthread_mutex_lock(&door);
    readers--;
    if (readers == 0)
        pthread_mutex_unlock(&room);
    pthread_mutex_unlock(&door);
}

static void *reader1(void *unused)
{
    enter();
    reading1 = 1;
    reading1 = 0;
    leave();
    return unused;
}

static void *reader2(void *unused)
{
    enter();
    reading2 = 1;
    reading2 = 0;
    leave();
    return unused;
}

static void *writer(void *unused)
{
    pthread_mutex_lock(&room);
    writing = 1;
    writing = 0;
    pthread_mutex_unlock(&room);
    return unused;
}

int main(void)
{
    pthread_t a, b, w;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&a, 0, reader1, 0);
    pthread_create(&b, 0, reader2, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(w, 0);
    return 0;
}
