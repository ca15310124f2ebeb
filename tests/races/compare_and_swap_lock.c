// none
#include <pthread.h>
int busy, data;
static void enter(void) { while (!__sync_bool_compare_and_swap(&busy, 0, 1)) ; }
static void leave(void) { __sync_lock_release(&busy); }
void *one(void *a) { enter(); data++; leave(); return 0; }
void *two(void *a) { enter(); data++; leave(); return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
