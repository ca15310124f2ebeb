/* Two threads increment a shared number, each within an area of its own. What the areas do does not
 * matter to the specification: a thread in one excludes a thread in the other. The lock sees to it. */
#include <pthread.h>

int p = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int f_ev() { return 1; }

void *thread1(void *d)
{
    (void)d;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
    b_p1:
        p += 1;
    e_p1:
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

void *thread2(void *d)
{
    (void)d;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
    b_p2:
        p += 1;
    e_p2:
        pthread_mutex_unlock(&lock);
    }
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
