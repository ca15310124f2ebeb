// race: cell
// Numbers of threads that a conversion makes one.
#include <pthread.h>
static int cell[300];
static void *run(void *argument) {
  int number = (unsigned char)(long)argument;
  cell[number] = 1;
  return NULL;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, NULL, run, (void *)1);
  pthread_create(&other, NULL, run, (void *)257);
  pthread_join(one, NULL);
  pthread_join(other, NULL);
  return 0;
}
