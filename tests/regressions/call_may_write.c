/* memcpy may write x, and never does where p leads to y: then x has no value that anybody could read. */
#include <string.h>

int rounds;
int choose(void);
void other(void) { rounds++; }

int main(void) {
  int x, y = 3, v = 7;
  int *p = choose() ? &x : &y;
begin: other();
  memcpy(p, &v, sizeof v);
  other();
end: return y;
}
