int x, y = 3;
int main(void) { __builtin_memcpy(&x, &y, sizeof x); return 0; }
