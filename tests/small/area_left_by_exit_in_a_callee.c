#include <stdlib.h>
int x;
void die(int c) {
  exit(c);
}
int main(void) {
b:
  x = 1;
  die(2);
e:
  x = 3;
  return 0;
}
