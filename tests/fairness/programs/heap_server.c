/* A server: requests are allocated, queued and taken by two workers, which give them back. */
#include <pthread.h>
#include <stdlib.h>
struct request { _Bool first; struct request *next; };
struct request *head, *tail;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
int count;
_Bool asked, answered;
static void put(_Bool first)
{
    struct request *r = malloc(sizeof *r);
    r->first = first;
    r->next = 0;
    pthread_mutex_lock(&m);
    while (count == 2)
        pthread_cond_wait(&emptied, &m);
    if (tail) tail->next = r; else head = r;
    tail = r;
    count++;
    if (first) asked = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
}
void *worker(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (!head)
            pthread_cond_wait(&filled, &m);
        struct request *r = head;
        head = r->next;
        if (!head) tail = 0;
        count--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&m);
        if (r->first) {
            answered = 1;
            asked = 0;
            answered = 0;
        }
        free(r);
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    put(1);
    while (1)
        put(0);
}
