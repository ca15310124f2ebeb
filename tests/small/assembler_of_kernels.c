/* Well-known instructions are what they are on the processor: the counter goes 1, 2, 1, 3, 0; the bit is set once. */
typedef struct { int counter; } atomic_t;
static atomic_t v;
static unsigned long bits;
int x, freed, taken;
static void atomic_inc(atomic_t *v) { __asm__ volatile("lock; incl %0" : "+m" (v->counter)); }
static int atomic_dec_and_test(atomic_t *v) {
  unsigned char c;
  __asm__ volatile(".section .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.previous\n671:\n\tlock; decl %0; sete %1"
                   : "+m" (v->counter), "=qm" (c)
                   :
                   : "memory");
  return c != 0;
}
static int atomic_add_return(int i, atomic_t *v) {
  int before = i;
  __asm__ volatile("lock; xaddl %0, %1" : "+r" (i), "+m" (v->counter) : : "memory");
  return i + before;
}
static int cmpxchg(int *to, int old, int new) {
  int was;
  __asm__ volatile("lock; cmpxchgl %2,%1" : "=a" (was), "+m" (*to) : "r" (new), "0" (old) : "memory");
  return was;
}
static int test_and_set_bit(int nr, volatile unsigned long *addr) {
  int old;
  __asm__ volatile("lock; bts %2,%1\n\tsbb %0,%0" : "=r" (old), "+m" (*(volatile long *) addr) : "Ir" (nr) : "memory");
  return old;
}
int main(void) {
  atomic_inc(&v);
  atomic_inc(&v);
  freed += atomic_dec_and_test(&v);
  x = atomic_add_return(2, &v) == 3;
  cmpxchg(&v.counter, 7, 9);
  cmpxchg(&v.counter, 3, 1);
  freed += atomic_dec_and_test(&v);
  taken = test_and_set_bit(3, &bits) == 0;
  taken += test_and_set_bit(3, &bits) == 0;
  taken += bits == 8;
  return 0;
}
