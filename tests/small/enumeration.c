enum c { R, G, B } c;
int main(void) {
  c = B;
  return 0;
}
