/* A lamp goes on and off. */
int lamp;
int main(void) {
  lamp = 0;
  while (1) {
    if (lamp == 0) lamp = 1;
#ifndef BROKEN
    else lamp = 0;
#endif
  }
}
