int x;
int main(void) {
  do {
    x++;
    if (x == 2)
      continue;
  } while (x < 4);
  return 0;
}
