/* CBMC has `double sqrt(double)`. */
float sqrt(float);
int g;
int main(void) {
  if (sqrt(4) != 2)
    g = 1;
  return 0;
}
