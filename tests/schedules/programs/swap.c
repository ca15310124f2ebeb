/* Two threads swap what two shared pointers point to, by exchanging the pointers.
 * WRONG: the swap is not protected, so that one object may get lost. */
#include <assert.h>
#include <pthread.h>

static int apple = 1, pear = 2;
static int *left = &apple;
static int *right = &pear;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void swap(int **a, int **b)
{
    int *old = *a;
    *a = *b;
    *b = old;
}

static void *swapper(void *unused)
{
#ifndef WRONG
    pthread_mutex_lock(&lock);
#endif
    swap(&left, &right);
#ifndef WRONG
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, swapper, 0);
    pthread_create(&b, 0, swapper, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left != right);
    assert(*left + *right == 3);
    return 0;
}

/* Each swap needs both pointers: between its first and its second write they
 * are equal, and who reads them then sees one object twice. */
