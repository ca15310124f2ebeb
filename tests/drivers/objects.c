/* References and a list: the last put frees, nobody uses what is freed. */
#include "objects.h"
extern int nondet_int(void);
struct obj { struct list_head node; atomic_t refs; int state; };
enum { DEAD, ALIVE };
static struct obj pool[3]; static struct list_head all = LIST_HEAD_INIT(all);
int used_dead, alive;
static void release(struct obj *o) { list_del(&o->node); o->state = DEAD; alive--; }
static void get(struct obj *o) { if (o->state == DEAD) used_dead = 1; atomic_inc(&o->refs); }
static void put(struct obj *o) { if (o->state == DEAD) used_dead = 1; if (atomic_dec_and_test(&o->refs)) release(o); }
static struct obj *find(int i) { struct obj *o; list_for_each_entry(o, &all, node) if (o == &pool[i]) return o; return NULL; }
static void put_obj(struct obj **o) { if (*o) put(*o); }
int main(void) {
  for (;;) {
    int i = nondet_int();
    if (i < 0 || i >= (int)ARRAY_SIZE(pool)) continue;
    if (nondet_int()) {
      if (pool[i].state == DEAD) { atomic_set(&pool[i].refs, 1); pool[i].state = ALIVE; list_add_tail(&pool[i].node, &all); alive++; }
    } else {
      struct obj *o __cleanup(put_obj) = find(i);
      if (!o) continue;
      get(o);
      if (nondet_int() && atomic_read(&o->refs) == 2) put(o);
#ifdef BROKEN
      put(o);
#endif
    }
    if (alive > 3) used_dead = 2;
  }
}
