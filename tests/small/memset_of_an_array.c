#include <string.h>
int a[4];
int main(void) {
  memset(a, 1, sizeof a);
  return 0;
}
