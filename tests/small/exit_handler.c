#include <stdlib.h>
int x;
void h(void) { x = 9; }
int main(void) {
  atexit(h);
  x = 1;
  return 0;
}
