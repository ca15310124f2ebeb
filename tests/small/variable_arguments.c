#include <stdarg.h>
int x;
void f(int n, ...) {
  va_list ap;
  va_start(ap, n);
  while (n--) {
    int *p = va_arg(ap, int *);
    *p = n + 5;
  }
  va_end(ap);
}
int y;
int main(void) {
  f(2, &y, &x);
  return 0;
}
