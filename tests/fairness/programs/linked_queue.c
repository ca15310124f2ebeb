/* A queue of allocated nodes with a bound of one; the consumer waits for it to be filled, the producer for it to be empty. */
#include <pthread.h>
#include <stdlib.h>
struct item { int value; struct item *next; };
static struct item *head, **end = &head;
static int count;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
_Bool eaten;
void *producer(void *argument)
{
    while (1) {
        struct item *i = malloc(sizeof(struct item));
        if (!i)
            abort();
        i->value = 1;
        i->next = NULL;
        pthread_mutex_lock(&m);
        while (count == 1)
            pthread_cond_wait(&emptied, &m);
        *end = i;
        end = &i->next;
        count++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&m);
    }
    return argument;
}
void *consumer(void *argument)
{
    while (1) {
        pthread_mutex_lock(&m);
        while (count == 0)
            pthread_cond_wait(&filled, &m);
        struct item *i = head;
        head = i->next;
        if (!head)
            end = &head;
        count--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&m);
        eaten = i->value == 1;
        eaten = 0;
        free(i);
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
