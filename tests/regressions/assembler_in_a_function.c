#include <pthread.h>
/* A function that no thread stops in has assembler; what it reads decides what the formula says. */
#ifndef SAVE
#define SAVE "strange %0"
#endif
int torn, a;
static unsigned long save(void)
{
  unsigned long flags;
  __asm__ volatile(SAVE : "=r"(flags) : : "memory");
  __asm__ volatile("cli" : : : "memory");
  return flags;
}
static void *writer(void *x)
{
  unsigned long flags = save();
  if (flags & 512) torn = 1;
  return x;
}
static void *other(void *x) { a = 1; return x; }
int main(void)
{
  pthread_t p, q;
  pthread_create(&p, 0, writer, 0);
  pthread_create(&q, 0, other, 0);
  pthread_join(p, 0);
  pthread_join(q, 0);
  return 0;
}
