// race: result
#include <pthread.h>
#include <stdlib.h>
struct worker { pthread_t thread; int id, result; };
void *go(void *p) { struct worker *w = p; w->result = w->id * 2; return 0; }
int main(void) { struct worker w[3]; int sum = 0;
  for (int i = 0; i < 3; i++) { w[i].id = i; if (pthread_create(&w[i].thread, 0, go, &w[i]) != 0) return 1; w[i].result = 1; }
  for (int j = 0; j < 3; j++) { pthread_join(w[j].thread, 0); }
  return w[0].result; }
