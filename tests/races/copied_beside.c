// none
#include <pthread.h>
#include <string.h>
char from[8], to[8];
void *one(void *a) { memcpy(to, from, 4); return 0; }
void *two(void *a) { to[5] = 1; return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
