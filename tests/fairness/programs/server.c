/* A server: clients' requests go through a bounded queue to two workers. */
#include <pthread.h>

enum { SIZE = 2 };
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int queue[SIZE];
int first, count;
_Bool asked, answered;

static void put(int request)
{
    pthread_mutex_lock(&lock);
    while (count == SIZE)
        pthread_cond_wait(&emptied, &lock);
    queue[(first + count) % SIZE] = request;
    count++;
    if (request)
        asked = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static int get(void)
{
    int request;
    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&filled, &lock);
    request = queue[first];
    first = (first + 1) % SIZE;
    count--;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
    return request;
}

void *worker(void *own)
{
    while (1) {
        int request = get();
        if (request) {
            asked = 0;
            answered = 1;
            answered = 0;
        }
    }
    return own;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    put(1);
    while (1)
        put(0);
}
