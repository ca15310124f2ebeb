/* A lift, as a newcomer writes it: requests wait in an array, which is shifted when one is served. */
#include <stdio.h>
int queue[3], waiting;
int level, moving;
int main(void) {
  int request;
  while (1) {
    if (scanf("%d", &request) == 1 && request >= 0 && request <= 3 && waiting < 3) queue[waiting++] = request;
    if (waiting > 0) {
      if (queue[0] > level) { moving = 1; level++; }
      else if (queue[0] < level) { moving = 1; level--; }
      else {
#ifdef BROKEN
        if (waiting == 3) continue;
#endif
        moving = 0;
        for (int i = 1; i < waiting; i++) queue[i - 1] = queue[i];
        waiting--;
      }
    }
  }
}
