// none
#include <pthread.h>
struct counter { int n; } a, b;
static void bump(struct counter *c) { c->n++; }
void *one(void *unused) { bump(&a); return 0; }
void *two(void *unused) { bump(&b); return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return a.n + b.n;
}
