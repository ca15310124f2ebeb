/* The compiler's names of library functions: CBMC has no bodies for them, but for the plain ones. What they write
   are letters: text is "ab" and then "abc". */
char text[8];

int main(void) {
  char *copy = __builtin_strdup("ab");
  __builtin_strcpy(text, copy);
  __builtin_free(copy);
  __builtin_strncat(text, "cd", 1);
  return 0;
}
