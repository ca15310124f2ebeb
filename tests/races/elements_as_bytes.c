// race: a)[8]
#include <pthread.h>
#include <stdlib.h>
int a[8];
void *f(void *p) { ((char *)a)[8] = 5; return p; }
void *g(void *p) { a[2] = 7; return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0); pthread_join(t, 0); pthread_join(u, 0); return a[3]; }
