/* The threads of C11. */
#include <threads.h>

mtx_t m;
cnd_t c;
once_flag flag = ONCE_FLAG_INIT;
int item, want, have, prepared, result;

void prepare(void) { prepared++; }

int producer(void *arg)
{
    (void)arg;
    call_once(&flag, prepare);
    mtx_lock(&m);
    item = 1;
#if !defined DEADLOCK
    cnd_signal(&c);
#endif
    mtx_unlock(&m);
    thrd_exit(7);
}

int main(void)
{
    thrd_t t;
#if defined RECURSIVE
    mtx_init(&m, mtx_plain | mtx_recursive);
#else
    mtx_init(&m, mtx_plain);
#endif
    cnd_init(&c);
    if (thrd_create(&t, producer, NULL) != thrd_success)
        return 1;
    call_once(&flag, prepare);
    mtx_lock(&m);
#if defined RECURSIVE
    while (mtx_trylock(&m) == thrd_busy)
        thrd_yield();
    mtx_unlock(&m);
#endif
    want = 1;
    while (!item)
        cnd_wait(&c, &m);
    have = 1;
    mtx_unlock(&m);
    thrd_join(t, &result);
    return 0;
}
