int a[4];
int main(void) {
  for (int i = 0; i < 4; i++)
    a[i] = i * i;
  return 0;
}
