int x;
int f(void) { return x = 4; }
int main(void) { return f(); }
