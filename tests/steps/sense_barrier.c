#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#define THREADS 3
static atomic_int count = THREADS;
static atomic_bool sense;
int phase[THREADS]; /* modulo 4 */
static void barrier(bool *mine)
{
    *mine = !*mine;
    if (atomic_fetch_sub(&count, 1) == 1) {
#ifdef WRONG
        atomic_store(&sense, *mine);
        atomic_store(&count, THREADS);
#else
        atomic_store(&count, THREADS);
        atomic_store(&sense, *mine);
#endif
    } else {
        while (atomic_load(&sense) != *mine) { }
    }
}
static void *work(void *arg)
{
    int id = (int)(long)arg;
    bool mine = false;
    for (;;) {
        phase[id] = (phase[id] + 1) % 4;
        barrier(&mine);
    }
}
int main(void)
{
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(t + i, NULL, work, (void *)(long)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
}
