/* A function whose name makes it atomic takes a resource; another one gives it back.
 * WRONG: the function that takes it has an ordinary name. */
#include <pthread.h>

extern void abort(void);

int free_places = 1;
int guests;

void reach_error(void)
{
ERROR:
    return;
}

#ifdef WRONG
#define TAKE take_place
#else
#define TAKE __VERIFIER_atomic_take_place
#endif

int TAKE(void)
{
    if (free_places > 0) {
        free_places = free_places - 1;
        return 1;
    }
    return 0;
}

void __VERIFIER_atomic_give_back(void)
{
    free_places = free_places + 1;
}

static void *guest(void *unused)
{
    if (TAKE()) {
        guests++;
        if (guests > 1)
            reach_error();
        guests--;
        __VERIFIER_atomic_give_back();
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, guest, 0);
    pthread_create(&b, 0, guest, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
