/* An unsigned counter comes round to zero. */
unsigned char counter;
int main(void) {
  counter = 0;
  while (1) {
#ifdef BROKEN
    if (counter < 200)
#endif
    counter++;
  }
}
