// race: stop
#include <pthread.h>
int stop, n;
void *one(void *a) { n = stop ? 1 : 2; return 0; }
void *two(void *a) { if (1) stop = 1; return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
