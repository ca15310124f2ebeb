/* Writes a string, or its first characters, in a field. */
static unsigned long ba_put_text(char *ba_s, unsigned long ba_n, unsigned long ba_k, const char *ba_text, int ba_most, int ba_width,
                                 _Bool ba_left) {
  int ba_length = 0, ba_i;
  if (ba_width > 0) {
    while (ba_length != ba_most && ba_text[ba_length]) ba_length++;
    if (!ba_left)
      for (ba_i = ba_length; ba_i < ba_width; ba_i++) ba_k = ba_put(ba_s, ba_n, ba_k, ' ');
  }
  for (ba_i = 0; ba_i != ba_most && ba_text[ba_i]; ba_i++) ba_k = ba_put(ba_s, ba_n, ba_k, ba_text[ba_i]);
  if (ba_width > 0 && ba_left)
    for (ba_i = ba_length; ba_i < ba_width; ba_i++) ba_k = ba_put(ba_s, ba_n, ba_k, ' ');
  return ba_k;
}
