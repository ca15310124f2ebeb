#include <stdlib.h>
int x;
void h(void) {
  x = x + 10;
}
void g(void) {
  x = 2;
}
void f(void) {
  exit(0);
}
int main(void) {
  atexit(h);
  atexit(g);
  x = 1;
  f();
  x = 99;
  return 0;
}
