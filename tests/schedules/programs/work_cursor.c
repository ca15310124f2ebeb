/* Threads take pieces of an array by a common cursor and add them up.
 * WRONG: the cursor is read and written in two steps, so that a piece may be taken twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define PIECES 3

static const int piece[PIECES] = {1, 10, 100};
#ifdef WRONG
static volatile int cursor;
#else
static atomic_int cursor;
#endif
static atomic_int total;

static int next_piece(void)
{
#ifdef WRONG
    int mine = cursor;
    cursor = mine + 1;
    return mine;
#else
    return atomic_fetch_add(&cursor, 1);
#endif
}

static void *adder(void *unused)
{
    int at;
    while ((at = next_piece()) < PIECES)
        atomic_fetch_add(&total, piece[at]);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, adder, 0);
    pthread_create(&b, 0, adder, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total <= 111);
    return 0;
}

/* Whoever comes first takes the next piece; together they take each one once. */
