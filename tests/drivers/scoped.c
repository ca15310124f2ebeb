/* Later headers of the kernel: guards of a block in the head of a loop, comparisons by __auto_type, locks that this driver does not take. */
#include <pthread.h>
extern unsigned char nondet_uchar(void);
static pthread_mutex_t unused;
static inline void unused_lock(void) { pthread_mutex_lock(&unused); pthread_mutex_unlock(&unused); }
int held, entered, req, ack, frames;
static int *take(int *lock) { *lock += 1; return lock; }
static void give(int **lock) { **lock -= 1; }
#define scoped_guard(lock) for (int *scope __attribute__((__cleanup__(give))) = take(lock), *done = 0; !done; done = (void *)1)
#define __cmp_once(x, y, unique_x, unique_y, op) ({ __auto_type unique_x = (x); __auto_type unique_y = (y); unique_x op unique_y ? unique_x : unique_y; })
#define min(x, y) __cmp_once(x, y, __x, __y, <)
#define max(x, y) __cmp_once(x, y, __m, __n, >)
#define no_free_ptr(p) ({ __auto_type __ptr = (p); (p) = 0; __ptr; })
static int feed(unsigned char c)
{
  scoped_guard(&held) {
    entered = held;
    if (c == 0x7e) { req = 1; ack = 0; return 1; }
    if (!req) break;
    req = 0;
    ack = 1;
    frames = min(max(frames + 1, ({ int least = 0; least; })), 3);
  }
  int *p = &held, *q = no_free_ptr(p);
  return p != 0 || *q != 0;
}
int main(void)
{
  for (;;) {
#ifdef BROKEN
    if (nondet_uchar() == 1) held++;
#endif
    feed(nondet_uchar());
  }
}
