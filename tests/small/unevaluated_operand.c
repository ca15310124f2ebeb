int x;
int main(void) {
  (void)sizeof(x = 5);
  return 0;
}
