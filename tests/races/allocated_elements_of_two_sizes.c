// race: [
#include <pthread.h>
#include <stdlib.h>
void *f(void *p) { char *c = p; c[8] = 5; return 0; }
void *g(void *p) { int *n = p; n[2] = 7; return 0; }
int main(void) { pthread_t t, u; int *a = malloc(8 * sizeof(int)); if (!a) return 1; pthread_create(&t, 0, f, a); pthread_create(&u, 0, g, a); pthread_join(t, 0); pthread_join(u, 0); return a[3]; }
