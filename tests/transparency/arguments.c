#include <err.h>
#include <stdio.h>
#include <string.h>
int g;
static int next(int by) {
  g += by;
  return g;
}
int main(int argc, char **argv) {
  memcpy(
    &g,
    /* one
       two
       three
       four
       five
       six
       seven
       eight
       nine
       ten */ "*/ /*"
    , 2); printf("%d %d\n", g, __LINE__);
  printf("%d\n", next(2));
  if (argc > 7)
    errx(1, "too many of %s",
      argv[g = 2]);
  errx(__LINE__, "*/ %d %d // %d",
    next(3),
#undef BUFSIZ
#define BUFSIZ 4
    BUFSIZ,
    __LINE__);
}
