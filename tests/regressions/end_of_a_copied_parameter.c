/* Two propositions read n, one of them also what other functions change, so that n is copied. */
int g;
void other(void) { g++; }
int top(int n) {
begin: other();
end: ;
  return n;
}
int main(void) {
  top(2);
  return 0;
}
