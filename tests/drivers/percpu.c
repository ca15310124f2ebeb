/* Counters of each processor, the current task by a segment register, values of user space by a call in assembler, a bit lock. */
#include "kernel.h"
struct task { int pid; int preempt; };
extern struct task *current_task;
extern int this_cpu_off;
#define percpu_read(var) ({ typeof(var) pfo_ret__; switch (sizeof(var)) { \
  case 4: asm("movl %%gs:%P1,%0" : "=r"(pfo_ret__) : "m"(var)); break; \
  case 8: asm("movq %%gs:%P1,%0" : "=r"(pfo_ret__) : "m"(var)); break; \
  default: asm volatile("ud2"); } pfo_ret__; })
#define get_user(x, ptr) ({ int __ret_gu; unsigned long __val_gu; \
  asm volatile("call __get_user_%P3" : "=a"(__ret_gu), "=d"(__val_gu) : "0"(ptr), "i"(sizeof(*(ptr)))); \
  (x) = (__typeof__(*(ptr)))__val_gu; __ret_gu; })
static unsigned long page_flags;
static int owner_count, total, faults;
int level;
static inline void bit_spin_lock(int bitnum, unsigned long *addr)
{
  while (unlikely(test_and_set_bit(bitnum, addr))) {
    do {
      cpu_relax();
    } while (test_bit(bitnum, addr));
  }
}
static inline void bit_spin_unlock(int bitnum, unsigned long *addr)
{
  BUG_ON(!test_bit(bitnum, addr));
  clear_bit(bitnum, addr);
}
static int set_level(const int *user_pointer)
{
  int wanted;
  if (get_user(wanted, user_pointer)) {
    faults = 1;
    return -EINVAL;
  }
  bit_spin_lock(4, &page_flags);
  owner_count++;
  level = clamp(wanted, 0, 9);
  total += percpu_read(this_cpu_off) & 1;
  owner_count--;
  bit_spin_unlock(4, &page_flags);
  return 0;
}
static void *caller(void *pointer) { set_level(pointer); return NULL; }
int main(void)
{
  pthread_t a, b;
  static int one, two;
  pthread_create(&a, NULL, caller, &one);
  pthread_create(&b, NULL, caller, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
