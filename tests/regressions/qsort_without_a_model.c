/* CBMC has no meaning for qsort and leaves the array as it is. */
#include <stdlib.h>

int list[3] = { 3, 1, 2 };
int done;

static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  qsort(list, 3, sizeof *list, order);
  done = 1;
  return 0;
}
