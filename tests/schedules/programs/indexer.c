/* Threads put messages into a table; who finds a slot taken tries the next one.
 * WRONG: whether a slot is free and the writing of it are two steps. */
#include <assert.h>
#include <pthread.h>

#define SIZE 4
#define MESSAGES 2

static int table[SIZE];

static int cas(int *slot, int expected, int wanted)
{
#ifdef WRONG
    if (*slot != expected)
        return 0;
    *slot = wanted;
    return 1;
#else
    return __sync_bool_compare_and_swap(slot, expected, wanted);
#endif
}

static void *writer(void *number)
{
    int id = (int)(long)number, m;
    for (m = 0; m < MESSAGES; m++) {
        int message = id * 8 + m + 1;
        int hash = (message * 7) % SIZE;
        while (!cas(&table[hash], 0, message))
            hash = (hash + 1) % SIZE;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[2];
    int i, used = 0;
    for (i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, writer, (void *)(long)i);
    for (i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    for (i = 0; i < SIZE; i++)
        if (table[i])
            used++;
    assert(used == 4);
    return 0;
}
