/* A table of functions with their names and what they work on. */
#include <pthread.h>
struct task {
  const char *name;
  int (*run)(void *of);
  void *of;
};
static int led, level;
static int blink(void *of) {
  int *at = of;
  *at = !*at;
  return 0;
}
static int fill(void *of) {
  int *at = of;
  if (*at < 3)
    (*at)++;
#ifndef WRONG
  else
    *at = 0;
#endif
  return 0;
}
static struct task tasks[] = {{"blink", blink, &led}, {"fill", fill, &level}};
static void *turns(void *p) {
  for (int i = 0;; i = !i) tasks[i].run(tasks[i].of);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, turns, 0);
  pthread_join(t, 0);
}
