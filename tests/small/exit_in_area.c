#include <stdlib.h>
int one(void) { return 1; }
int x;
int f(void) {
b:
  x = 1;
  exit(0);
e:;
  return 1;
}
int main(void) {
  f();
  x = 5;
  return 0;
}
