/* A ticket lock whose numbers go on for ever. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint next_ticket, now_serving;
static int in_cs;
static int who;
static void lock(void) {
    unsigned t = atomic_fetch_add(&next_ticket, 1);
#ifndef WRONG
    while (atomic_load(&now_serving) != t)
        ;
#endif
}
static void unlock(void) { atomic_fetch_add(&now_serving, 1); }
static void *worker(void *arg) {
    int id = (int)(long)arg;
    while (1) {
        lock();
        in_cs++;
        who = id;
        in_cs--;
        unlock();
    }
}
int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&t[i], 0, worker, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
}
