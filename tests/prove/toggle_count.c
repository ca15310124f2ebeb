/* A toggle that changes whenever a counter comes to its limit. */
int t, c;
int main(void) {
  t = 0;
  c = 0;
  while (1) {
    if (c > 50) { t = !t; c = 0; }
#ifdef BROKEN
    if (c < 40)
#endif
    c++;
  }
}
