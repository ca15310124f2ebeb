int x;
int main(void) {
  for (int i = 0; i < 3; i++) {
  b:
    for (int j = 0;; j++) {
      if (i == 1)
        goto out;
      if (j)
        break;
      x = i * 10 + j + 1;
    }
  e:
    x = 0;
  }
out:
  x = 99;
  return 0;
}
