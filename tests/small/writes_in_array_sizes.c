int x;
int main(void) {
  int a[x = 2];
  x = sizeof a;
  x = sizeof(char[x = 3]);
  return 0;
}
