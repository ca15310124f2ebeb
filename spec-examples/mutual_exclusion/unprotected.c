/* The program of listing 3: two threads increment a shared number, and nothing keeps them apart. */
#include <pthread.h>

int p = 0;

int f_ev() { return 1; }

void *thread1(void *d)
{
    (void)d;
b_p1:
    p += 1;
e_p1: ;
    return NULL;
}

void *thread2(void *d)
{
    (void)d;
b_p2:
    p += 1;
e_p2: ;
    return NULL;
}

int main(void)
{
    pthread_t first, second;

    pthread_create(&first, NULL, thread1, NULL);
    pthread_create(&second, NULL, thread2, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
