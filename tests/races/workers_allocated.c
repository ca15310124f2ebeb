// none
#include <pthread.h>
#include <stdlib.h>
struct worker { pthread_t thread; int id, result; };
void *go(void *p) { struct worker *w = p; w->result = w->id * 2; return 0; }
int any(void);
int main(void) { int n = any(), sum = 0; struct worker *w = malloc(n * sizeof(struct worker)); if (!w) return 1;
  for (int i = 0; i < n; i++) { w[i].id = i; pthread_create(&w[i].thread, 0, go, &w[i]); }
  for (int i = 0; i < n; i++) { pthread_join(w[i].thread, 0); sum += w[i].result; }
  free(w); return sum; }
