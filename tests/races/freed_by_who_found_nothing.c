// none
#include <pthread.h>
#include <stdlib.h>
struct msg { int len; struct msg *next; };
static struct msg *head;
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
int total;
static void push(int n) {
  struct msg *m = malloc(sizeof *m); if (!m) exit(1);
  m->len = n;
  pthread_mutex_lock(&mu);
  m->next = head; head = m;
  pthread_mutex_unlock(&mu);
}
static void *consumer(void *u) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&mu);
    struct msg *m = head;
    if (m) head = m->next;
    if (m) total += m->len;
    pthread_mutex_unlock(&mu);
    free(m);
  }
  return u;
}
int main(void) {
  pthread_t c, d;
  pthread_create(&c, 0, consumer, 0); pthread_create(&d, 0, consumer, 0);
  push(1); push(2);
  pthread_join(c, 0); pthread_join(d, 0);
}
