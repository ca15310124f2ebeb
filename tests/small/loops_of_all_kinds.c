int x;
int n;
int nx(void) {
  return ++n;
}
int main(void) {
  while ((x = nx()) != 3)
    ;
  for (x = 0; x < 2; x++)
    ;
  do
    x = 7;
  while (x-- != 7);
  switch (x = 9) {
  case 9:
    x = 10;
  }
  return (x = 11, 0);
}
