/* Each thread sets its own bit of a word that all share.
 * WRONG: the word is read, changed and written back in steps. */
#include <assert.h>
#include <pthread.h>

#define THREADS 3

static unsigned word;

static void set(unsigned bit)
{
#ifdef WRONG
    word |= 1u << bit;
#else
    __atomic_fetch_or(&word, 1u << bit, __ATOMIC_SEQ_CST);
#endif
}

static unsigned number[THREADS];

static void *setter(void *argument)
{
    unsigned *mine = argument;
    set(*mine);
    return argument;
}

int main(void)
{
    pthread_t thread[THREADS];
    unsigned i;
    for (i = 0; i < THREADS; i++) {
        number[i] = i;
        if (pthread_create(&thread[i], 0, setter, &number[i]))
            return 1;
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    assert(word == 7);
    return 0;
}

/* With a single statement `word |= x` a compiler still makes a load, an
 * operation and a store: another thread may write in between. */
