int ext(void);
int x;
int main(void) {
  x = ext();
  return 0;
}
