void *malloc(unsigned n);
int g;
int main(void) { int *p = malloc(4); if (!p) return 0; *p = 3; if (*p != 3) g = 1; return 0; }
