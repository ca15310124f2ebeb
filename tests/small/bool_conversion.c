#include <stdbool.h>
bool b;
int main(void) {
  b = 5;
  return 0;
}
