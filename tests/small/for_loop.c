int s;
int main(void) {
  for (int i = 0; i < 3; i++)
    s += i;
  return 0;
}
