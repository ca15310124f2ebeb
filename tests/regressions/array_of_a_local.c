/* The proposition reads an array of main's and what another function changes. */
int rounds;
void other(void) { rounds++; }
int sum(const int *a) { return a[0] + a[1]; }

int main(void) {
  int x[2] = {1, 2};
begin: other();
  x[1] = 5;
  other();
end: return x[0];
}
