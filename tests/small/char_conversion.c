signed char c;
int main(void) {
  c = 300;
  return 0;
}
