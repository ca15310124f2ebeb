/* The digit that a character is in some base; at least the base for others. */
static unsigned ba_digit_of(char ba_c) {
  if (ba_c >= '0' && ba_c <= '9') return ba_c - '0';
  if (ba_c >= 'a' && ba_c <= 'z') return ba_c - 'a' + 10;
  if (ba_c >= 'A' && ba_c <= 'Z') return ba_c - 'A' + 10;
  return 99;
}

#ifdef BA_FOLLOWED /* strings have any length: a run is cut where more of one would be read as a number */
#define BA_READS(site) if (++ba_reads > BA_FOLLOWED) ba_cut(site)
#else
#define BA_READS(site) ((void)(site))
#endif

/* The magnitude of the number that a string begins with, its sign, and where it ends. It is at most `ba_most`, for a negative one
   `ba_least`; with 0 for that, numbers have no sign, and what follows `-` is negated unless it is too large. */
static unsigned long long ba_number(const char *ba_s, unsigned long long ba_most, unsigned long long ba_least, int ba_base,
                                    _Bool *ba_negative, const char **ba_end, unsigned ba_site) {
  const char *ba_from = ba_s;
  unsigned long long ba_value = 0, ba_limit, ba_tens, ba_rest;
  unsigned ba_reads = 0;
  _Bool ba_over = 0;
  (void)ba_reads;
  *ba_negative = 0;
  *ba_end = ba_s;
  for (; *ba_from == ' ' || (*ba_from >= 9 && *ba_from <= 13); ba_from++) { BA_READS(ba_site); }
  if (*ba_from == '-' || *ba_from == '+') *ba_negative = *ba_from++ == '-';
  if ((ba_base == 0 || ba_base == 16) && ba_from[0] == '0' && (ba_from[1] == 'x' || ba_from[1] == 'X') && ba_digit_of(ba_from[2]) < 16) {
    ba_from += 2;
    ba_base = 16;
  } else if (ba_base == 0) {
    ba_base = *ba_from == '0' ? 8 : 10;
  }
  /* Quotients of constants are constants for a model checker; a division in the loop is a circuit each time. */
  ba_limit = *ba_negative && ba_least ? ba_least : ba_most;
  ba_tens = *ba_negative && ba_least ? ba_least / ba_base : ba_most / ba_base;
  ba_rest = *ba_negative && ba_least ? ba_least % ba_base : ba_most % ba_base;
  for (; ba_digit_of(*ba_from) < (unsigned)ba_base; ba_from++) {
    BA_READS(ba_site);
    unsigned ba_digit = ba_digit_of(*ba_from);
    ba_over |= ba_value > ba_tens || (ba_value == ba_tens && ba_digit > ba_rest);
    ba_value = ba_over ? ba_limit : ba_value * ba_base + ba_digit;
    *ba_end = ba_from + 1;
  }
  if (ba_over && !ba_least) *ba_negative = 0;
  return ba_value;
}
