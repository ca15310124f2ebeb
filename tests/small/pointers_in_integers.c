#include <stdint.h>
#include <string.h>
int x;
int main(void) {
  uintptr_t u = (uintptr_t)&x;
  *(int *)u = 1;
  int *p = 0, *q = &x;
  memcpy(&p, &q, sizeof p);
  *p = 2;
  union {
    int *a;
    void *b;
  } w;
  w.a = &x;
  *(int *)w.b = 3;
  return 0;
}
