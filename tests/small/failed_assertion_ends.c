#include <assert.h>
int x;
int main(int c, char **v) {
  x = 1;
  assert(c != 7);
  x = 2;
  return 0;
}
