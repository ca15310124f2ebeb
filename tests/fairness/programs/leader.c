/* Two nodes lead in turns: who sees no leader becomes leader, works and resigns. With -DWAITS a node sleeps until there is none. */
#include <pthread.h>
int leader = -1;
_Bool first_leads;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t resigned = PTHREAD_COND_INITIALIZER;
static void lead(int me)
{
    pthread_mutex_lock(&m);
#ifdef WAITS
    while (leader != -1)
        pthread_cond_wait(&resigned, &m);
#else
    if (leader != -1) {
        pthread_mutex_unlock(&m);
        return;
    }
#endif
    leader = me;
    pthread_mutex_unlock(&m);
    if (me == 0) {
        first_leads = 1;
        first_leads = 0;
    }
    pthread_mutex_lock(&m);
    leader = -1;
    pthread_cond_signal(&resigned);
    pthread_mutex_unlock(&m);
}
void *zero(void *argument) { while (1) lead(0); return argument; }
void *one(void *argument) { while (1) lead(1); return argument; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, zero, 0);
    pthread_create(&b, 0, one, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
