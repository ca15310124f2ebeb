/* A mailbox for one message: senders wait until it is empty, the receiver until it is full.
 * WRONG: the receiver asks with `if` instead of `while`, and a message is signalled before it is there. */
#include <pthread.h>
#include <assert.h>
#include <stdlib.h>

struct mailbox {
    pthread_mutex_t mutex;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    int full;
    int message;
};

static struct mailbox box;
int received;
int total;

static void mailbox_init(struct mailbox *m)
{
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->not_empty, NULL);
    pthread_cond_init(&m->not_full, NULL);
    m->full = 0;
}

static void send_message(struct mailbox *m, int message)
{
    pthread_mutex_lock(&m->mutex);
#ifdef WRONG
    if (m->full)
        pthread_cond_wait(&m->not_full, &m->mutex);
#else
    while (m->full)
        pthread_cond_wait(&m->not_full, &m->mutex);
#endif
    assert(!m->full);
    m->message = message;
    m->full = 1;
    pthread_cond_signal(&m->not_empty);
    pthread_mutex_unlock(&m->mutex);
}

static int receive_message(struct mailbox *m)
{
    int message;
    pthread_mutex_lock(&m->mutex);
    while (!m->full)
        pthread_cond_wait(&m->not_empty, &m->mutex);
    message = m->message;
    m->full = 0;
    pthread_cond_signal(&m->not_full);
    pthread_mutex_unlock(&m->mutex);
    return message;
}

static void *sender(void *arg)
{
    int base = *(int *)arg;
    send_message(&box, base);
    send_message(&box, base + 1);
    return NULL;
}

static void *receiver(void *arg)
{
    int i;
    (void)arg;
    for (i = 0; i < 4; i++) {
        total += receive_message(&box);
        received++;
    }
    return NULL;
}

int main(void)
{
    pthread_t s1, s2, r;
    int one = 10, two = 20;
    mailbox_init(&box);
    pthread_create(&r, NULL, receiver, NULL);
    pthread_create(&s1, NULL, sender, &one);
    pthread_create(&s2, NULL, sender, &two);
    pthread_join(s1, NULL);
    pthread_join(s2, NULL);
    pthread_join(r, NULL);
    assert(received == 4);
    assert(total == 62);
    return 0;
}
