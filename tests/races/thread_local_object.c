// none
#include <pthread.h>
_Thread_local int mine;
void *one(void *a) { mine++; return (void *)(long)mine; }
void *two(void *a) { mine--; return (void *)(long)mine; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
