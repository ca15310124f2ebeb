/* Two threads step b, so that p falls and rises; main ends with q false.
   p: a > 0 && b == 2, q: a == 1. */
#include <pthread.h>

int a = 1;
int b = 2;

void *one(void *arg)
{
    b--;
    b++;
    b = 3;
    return arg;
}

void *two(void *arg)
{
    b++;
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    a = 0;
    return 0;
}
