int x;
int main(void) {
  while (1)
    x = !x;
}
