char s[] = "abc";
char d[4];
int main(void) {
  char *p = d, *q = s;
  while ((*p++ = *q++))
    ;
  return 0;
}
