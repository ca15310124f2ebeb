extern int x;
int x;
int x;
static int y;
static int y;
int main(void) {
  extern int x;
  x = 1;
  y = 2;
  return 0;
}
int x = 0;
