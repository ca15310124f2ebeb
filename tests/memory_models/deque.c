/* Chase and Lev's work-stealing deque (SPAA 2005) with the orders of Le, Pop, Cohen and Nardelli (PPoPP 2013). */
#include <stdatomic.h>
#include <pthread.h>
#define SIZE 4
static atomic_int top, bottom; static atomic_int items[SIZE];
int twice, done;
static atomic_int count[3];
static void push(int v) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&items[b % SIZE], v, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}
static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
#ifndef WRONG
  atomic_thread_fence(memory_order_seq_cst);
#endif
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  int x = 0;
  if (t <= b) {
    x = atomic_load_explicit(&items[b % SIZE], memory_order_relaxed);
    if (t == b) {
      if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) x = 0;
      atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    }
  } else atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  return x;
}
static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(memory_order_seq_cst);
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  int x = 0;
  if (t < b) {
    x = atomic_load_explicit(&items[t % SIZE], memory_order_relaxed);
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) return 0;
  }
  return x;
}
static void got(int v) { if (v && atomic_fetch_add(&count[v], 1)) twice = 1; }
static void *thief(void *u) {
  got(steal());
#ifndef ONCE
  got(steal());
#endif
  return 0;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, thief, 0);
  push(1);
#ifndef ONCE
  push(2); got(take());
#endif
  got(take());
  pthread_join(t, 0); done = 1;
}
