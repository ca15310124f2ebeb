#include <stdio.h>
#include <assert.h>
int g;
static void here(const char *f, int l) { printf("%s %d\n", f, l); }
#define HERE() here(__func__, __LINE__)
int f(int x) {
  HERE(); g =
    x +
    __LINE__; HERE();
  for (int i = 0;
       i < 2;
       i++) {
    g++; HERE();
  }
  return
    g +
      __LINE__
  ;
}
int main(void) {
  printf("%d\n", f(2));
  g = __LINE__; if (g)
    HERE();
  assert(g == -1 &&
   "here");
  return 0;
}
