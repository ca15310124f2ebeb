int x;
int main(void) {
  *(char *)&x = 1;
  ((short *)&x)[1] = 1;
  ((unsigned char *)&x)[0] = 0;
  return 0;
}
