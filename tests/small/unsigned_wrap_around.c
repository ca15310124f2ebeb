typedef unsigned char u8;
u8 x;
int main(void) {
  x = 255;
  x++;
  return 0;
}
