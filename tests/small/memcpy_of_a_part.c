#include <string.h>
struct {
  int a, b, c;
} s;
int main(void) {
  int v[2] = {4, 5};
  memcpy(&s.b, v, sizeof v);
  memset(&s.b, 0, 4);
  memcpy((char *)&s + 8, v, 4);
  return 0;
}
