/* What a program of two files shares: a bounded queue. */
#ifndef QUEUE_H
#define QUEUE_H
#include <pthread.h>
struct queue { int items[2]; int head, count; pthread_mutex_t lock; pthread_cond_t changed; };
extern struct queue queue;
extern int taken;
void *consumer(void *unused);
void put(int item);
enum { ITEMS = 2 };
#endif
