#include <stdlib.h>
int x;
void f(void) {
  x = 1;
  exit(0);
  x = 2;
}
int main(void) {
  f();
  x = 3;
  return 0;
}
