// none
#include <pthread.h>
#include <stdlib.h>
static pthread_t t[3];
static int results[3];
struct arg { int id; int *out; };
static void *run(void *v) { struct arg *a = v; *a->out = a->id * 2; free(a); return 0; }
static void start(int i) { struct arg *a = malloc(sizeof *a); if (!a) exit(1); a->id = i; a->out = &results[i];
 pthread_create(&t[i], 0, run, a); }
int main(void) { int s = 0; for (int i = 0; i < 3; i++) start(i);
 for (int i = 0; i < 3; i++) { pthread_join(t[i], 0); s += results[i]; } return s; }
