/* A protocol's parser in the shape that hand-made state machines have: jumps into a loop and a block, a switch into a loop. */
#include "kernel.h"
struct frame { u8 buffer[8]; int used; };
static struct frame frames[2];
static DEFINE_SPINLOCK(lock);
int synced, bytes, errors;
extern u8 inb(int port);
static int receive(struct frame *f, int n)
{
  int i = 0;
  u8 c = 0x7e;
  if (n > 4)
    goto flush;
  if (synced)
    goto inside;
  for (i = 0; i < n; i++) {
    c = inb(0x3f8);
  inside:
    if (c == 0x7e) {
      spin_lock(&lock);
      synced = 1;
      spin_unlock(&lock);
      continue;
    }
    if (i < 0) {
    flush:
      spin_lock(&lock);
      errors++;
      spin_unlock(&lock);
      return -EINVAL;
    }
    f->buffer[f->used & 7] = c;
    f->used++;
  }
  return 0;
}
static void copy(u8 *to, const u8 *from, int count)
{
  int n = (count + 3) / 4;
  switch (count & 3) {
  case 0: do { *to++ = *from++;
  case 3:      *to++ = *from++;
  case 2:      *to++ = *from++;
  case 1:      *to++ = *from++;
    } while (--n > 0);
  }
}
static void *port(void *argument)
{
  struct frame *f = argument;
  u8 last[4];
  if (receive(f, 2) == 0)
    copy(last, f->buffer, 3);
  spin_lock(&lock);
  bytes += f->used;
  spin_unlock(&lock);
  return NULL;
}
int main(void)
{
  pthread_t a, b;
  pthread_create(&a, NULL, port, &frames[0]);
  pthread_create(&b, NULL, port, &frames[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
