signed char x;
unsigned char y;
int main(void) {
  x = 127;
  x++;
  y = 255;
  y += 2;
  return 0;
}
