int x;
int main(void) {
again:
  x++;
  if (x < 4)
    goto again;
  return 0;
}
