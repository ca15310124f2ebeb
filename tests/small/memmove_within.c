#include <string.h>
int a[3] = {1, 2, 3};
int main(void) {
  memmove(a, a + 1, 8);
  return 0;
}
