int x;
int main(void) {
  int **pp = (int *[]){&x};
  **pp = 3;
  *(int *[]){&x}[0] = 4;
  (*(struct { int *p; }[]) {
    { &x }
  } -> p) = 5;
  return 0;
}
