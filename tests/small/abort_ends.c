#include <stdlib.h>
int x;
int main(void) {
  x = 1;
  abort();
  x = 2;
  return 0;
}
