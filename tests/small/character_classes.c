/* The macros of <ctype.h> look into a table of the library that no model checker has. */
#include <ctype.h>
int letters, digits, upper;
int main(void) {
  const char *text = "a7;";
  for (int i = 0; text[i]; i++) {
    if (isalpha(text[i])) letters++;
    if (isdigit((unsigned char)text[i])) digits++;
    if (toupper(text[i]) == 'A') upper++;
  }
  return 0;
}
