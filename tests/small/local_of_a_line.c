/* Two locals of one name, told apart by the lines of their declarations. */
struct pair { int a, b; };
int main(void) {
  struct pair n = {1, 0};
  {
    struct pair n = {5, 0};
    n.a++;
  }
  n.a = 2;
  return 0;
}
