// race: seen
// The numbers of the threads are different, those of the elements are not.
#include <pthread.h>
static int seen[2];
static void *count(void *argument) {
  int number = (int)(long)argument;
  seen[number % 2]++;
  return NULL;
}
int main(void) {
  pthread_t threads[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], NULL, count, (void *)(long)i);
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], NULL);
  return 0;
}
