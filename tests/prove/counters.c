/* Two counters, one inside the other. */
int i, j, done;
int main(void) {
  done = 0;
  i = 0;
  while (i < 10) {
    j = 0;
    while (j < 20) {
      j++;
#ifdef BROKEN
      if (i == 7) i = 3;
#endif
    }
    i++;
  }
  done = 1;
  return 0;
}
