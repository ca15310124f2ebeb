void memset(void *, int, int);
char b[4] = "abc";
int main(void) { memset(b, 0, 4); return 0; }
