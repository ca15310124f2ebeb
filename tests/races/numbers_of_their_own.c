// none
// Each thread has the counter of the loop that starts it as its number, and one of the structures.
#include <pthread.h>
struct work { int from, sum; };
static struct work works[3];
static int seen[3];
static void *count(void *argument) {
  int number = (int)(long)argument;
  seen[number]++;
  return NULL;
}
static void *add(void *argument) {
  struct work *work = argument;
  work->sum += work->from;
  return NULL;
}
int main(void) {
  pthread_t counters[3], adders[3];
  for (int i = 0; i < 3; i++)
    works[i].from = i;
  for (int i = 0; i < 3; i++) {
    pthread_create(&counters[i], NULL, count, (void *)(long)i);
    pthread_create(&adders[i], NULL, add, &works[i]);
  }
  for (int i = 0; i < 3; i++) {
    pthread_join(counters[i], NULL);
    pthread_join(adders[i], NULL);
  }
  return 0;
}
