/* Two numbers under two locks: whoever takes both sees a sum that fits.
 * WRONG: the second thread takes the locks one after the other, not both at once. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mb = PTHREAD_MUTEX_INITIALIZER;
static int data1 = 10, data2 = 10;

static void *move(void *unused)
{
    pthread_mutex_lock(&ma);
    pthread_mutex_lock(&mb);
    data1 -= 3;
    data2 += 3;
    pthread_mutex_unlock(&mb);
    pthread_mutex_unlock(&ma);
    return unused;
}

static void *audit(void *unused)
{
    int one, two;
    pthread_mutex_lock(&ma);
    one = data1;
#ifdef WRONG
    pthread_mutex_unlock(&ma);
#endif
    pthread_mutex_lock(&mb);
    two = data2;
    pthread_mutex_unlock(&mb);
#ifndef WRONG
    pthread_mutex_unlock(&ma);
#endif
    assert(one + two == 20);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, audit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
