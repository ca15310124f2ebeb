/* A probe with a ladder of gotos: what was taken is given back in the reverse order. */
#include "objects.h"
extern int nondet_int(void);
int irq, mem, clk, probed, leaks, order;
static int get_irq(void) { if (nondet_int() < 0) return -EBUSY; irq++; return 0; }
static void put_irq(void) { irq--; }
static int get_mem(void) { if (nondet_int() < 0) return -ENOMEM; mem++; return 0; }
static void put_mem(void) { mem--; }
static int get_clk(void) { if (nondet_int() < 0) return -EINVAL; clk++; return 0; }
static void put_clk(void) { clk--; if (mem == 0 && irq == 0) order = 1; }
struct dev { int id; unsigned int features; };
static int probe(struct dev *d) {
  int ret = get_irq();
  if (ret) goto err;
  ret = get_mem();
  if (ret) goto err_irq;
  ret = get_clk();
  if (ret) goto err_mem;
  if (d->features & BIT(3)) { ret = -EINVAL; goto err_clk; }
  probed = 1;
  return 0;
err_clk: put_clk();
err_mem: put_mem();
#ifdef BROKEN
  goto err;
#endif
err_irq: put_irq();
err: return ret;
}
static void remove(void) { put_clk(); put_mem(); put_irq(); probed = 0; }
int main(void) {
  for (;;) {
    struct dev d = { .id = clamp(nondet_int(), 0, 7), .features = (unsigned)nondet_int() };
    int ret = probe(&d);
    if (ret == 0) { if (d.id > 7) order = 2; remove(); }
    leaks = irq + mem + clk;
  }
}
