// none
#include <pthread.h>
pthread_once_t o = PTHREAD_ONCE_INIT;
int table, seen1, seen2;
static void fill(void) { table = 42; }
void *one(void *a) { pthread_once(&o, fill); seen1 = table; return 0; }
void *two(void *a) { pthread_once(&o, fill); seen2 = table; return 0; }

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
