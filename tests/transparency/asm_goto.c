int g;
int main(void) { asm goto ("" :::: l); g = 1; l: g = 2; return g; }
