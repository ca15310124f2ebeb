const int k = 3;
int main(void) { return 0; }
