/* Whether a character other than zero is among those of a string. */
static _Bool ba_among(char ba_c, const char *ba_set) {
  for (; *ba_set; ba_set++)
    if (*ba_set == ba_c) return 1;
  return 0;
}
