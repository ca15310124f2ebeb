#include <stddef.h>
struct l {
  struct l *n;
};
struct o {
  int v;
  struct l l;
} g;
int main(void) {
  struct l *p = &g.l;
  struct o *o = (struct o *)((char *)p - offsetof(struct o, l));
  o->v = 5;
  return 0;
}
