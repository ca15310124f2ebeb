// none
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t locks[4];
int cells[4];
void *work(void *a) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3) return 0;
    pthread_mutex_lock(&locks[i]);
    cells[i]++;
    pthread_mutex_unlock(&locks[i]);
    return 0;
}
int main(void) {
    pthread_t t;
    for (int i = 0; i < 4; i++) pthread_mutex_init(&locks[i], 0);
    while (__VERIFIER_nondet_int()) pthread_create(&t, 0, work, 0);
    return 0;
}
