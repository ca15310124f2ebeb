// none
#include <pthread.h>
int x;
pthread_t t;
void *one(void *a) { x = 1; return 0; }
static void begin(void) { pthread_create(&t, 0, one, 0); }
static void finish(void) { pthread_join(t, 0); }
int main(void) {
    begin();
    finish();
    x = 2;
    return 0;
}
