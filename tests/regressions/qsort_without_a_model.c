/* CBMC has no meaning for qsort_r and leaves the array as it is. */
#define _GNU_SOURCE
#include <stdlib.h>

int list[3] = { 3, 1, 2 };
int done;

static int order(const void *a, const void *b, void *c) { return *(const int *)a - *(const int *)b; }

int main(void) {
  qsort_r(list, 3, sizeof *list, order, 0);
  done = 1;
  return 0;
}
