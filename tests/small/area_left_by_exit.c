#include <stdlib.h>
int x;
int main(void) {
b:
  x = 1;
  exit(0);
e:;
  return 0;
}
