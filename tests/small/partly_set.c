#include <stdlib.h>
struct found { int known, at, size; };
int seen;
static struct found find(const int *list, int size, int what) {
  struct found result;
  result.known = 0;
  for (int i = 0; i < size; i++) {
    if (list[i] == what) {
      result.known = 1;
      result.at = i;
      result.size = size;
      return result;
    }
  }
  return result;
}
int main(void) {
  int list[] = {3, 5};
  seen = find(list, 2, 5).known;
  seen = find(list, 2, 7).known;
  return EXIT_SUCCESS;
}
