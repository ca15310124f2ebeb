unsigned long long u;
int main(void) {
  u = 1ULL << 40;
  return 0;
}
