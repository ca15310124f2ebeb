/* Writes a character of a formatted text, if there is room for it and the final zero; the length of the text. */
static unsigned long ba_put(char *ba_s, unsigned long ba_n, unsigned long ba_k, char ba_c) {
  if (ba_k < ba_n && ba_k + 1 < ba_n) ba_s[ba_k] = ba_c;
  return ba_k + 1;
}
