/* Functions of the C library that are written out for model checkers. The hash is that of all their results: with SHOW, the
   library's own is printed. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

unsigned long hash = 5381;
int done;
char out[128];

static void add(unsigned long value) { hash = (hash ^ value) * 1099511628211ul + 7; }

static void add_text(const char *text) {
  for (int i = 0; text[i]; i++) add((unsigned char)text[i]);
  add(256);
}

static int numbers[] = {0, 1, 9, 10, -1, -10, 99, 100, 101, 65535, 65536, 1000000000, 2147483647, -2147483647 - 1};
static long longs[] = {0, -1, 4294967296, 9223372036854775807, -9223372036854775807 - 1, 10000000000};
static const char *texts[] = {"", "a", "ab", "abc", "aab", "cba", ",a,,b,", " 12", "-17x", "0x1fz", "+9", "99999999999999999999", "-99999999999999999999", "0777", "zz"};
enum { TEXTS = sizeof texts / sizeof *texts };

static void prints(void) {
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    int n = numbers[i];
    add(snprintf(out, sizeof out, "%d|%i|%u|%x|%X|%o", n, n, n, n, n, n));
    add_text(out);
    add(sprintf(out, "<%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d>", n, n, n, n, n, n, n));
    add_text(out);
    add(snprintf(out, 6, "%hd %hhu %c%%\n", (short)n, (unsigned char)n, n & 63 | 64));
    add_text(out);
    add(snprintf(0, 0, "%.0d|%-6x|%06X|%4c|%-4c|", n, n, n, 'q', 'r'));
  }
  for (unsigned i = 0; i < sizeof longs / sizeof *longs; i++) {
    add(snprintf(out, sizeof out, "%ld|%lu|%lx|%zu|%lld", longs[i], longs[i], longs[i], (size_t)longs[i], (long long)longs[i]));
    add_text(out);
  }
  for (int i = 0; i < TEXTS; i++) {
    add(snprintf(out, 20, "[%s|%4s|%-4s|%.2s|%5.1s]", texts[i], texts[i], texts[i], texts[i], texts[i]));
    add_text(out);
  }
}

static void strings(void) {
  for (int i = 0; i < TEXTS; i++)
    for (int j = 0; j < TEXTS; j++) {
      const char *p = strstr(texts[i], texts[j]);
      add(p ? p - texts[i] : 999);
      p = strpbrk(texts[i], texts[j]);
      add(p ? p - texts[i] : 999);
      add(strspn(texts[i], texts[j]));
      add(strcspn(texts[i], texts[j]));
      p = memchr(texts[i], texts[j][0], strlen(texts[i]) + 1);
      add(p ? p - texts[i] : 999);
      add(strchrnul(texts[i], texts[j][0]) - texts[i]);
      add(strnlen(texts[i], j));
    }
}

static void tokens(void) {
  static char text[32];
  char *rest, *part;
  for (int i = 0; i < TEXTS; i++) {
    strcpy(text, texts[i]);
    for (part = strtok(text, ",a"); part; part = strtok(NULL, ",b")) add_text(part);
    strcpy(text, texts[i]);
    for (part = strtok_r(text, ", ", &rest); part; part = strtok_r(NULL, ", ", &rest)) add_text(part);
    strcpy(text, texts[i]);
    for (rest = text; (part = strsep(&rest, ",b"));) add_text(part);
    add(stpcpy(stpcpy(text, texts[i]), "xy") - text);
    add_text(text);
  }
}

static void scans(void) {
  static const char *lines[] = {"", "  ", "12", "12 -7 cat", "x=3;y=0x1f", " +8 9dogs z", "7 8 horses q", "x=;", "1,2,3", "4%5", "-9 -9"};
  for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++) {
    int a = -5, b = -5, c = -5;
    unsigned u = 77;
    long l = 88;
    char word[12] = "none", letter = '?';
    add(sscanf(lines[i], "%d %ld %s %c", &a, &l, word, &letter));
    add(a), add(l), add(letter), add_text(word);
    add(sscanf(lines[i], "x=%d;y=%i", &b, &c));
    add(b), add(c);
    add(sscanf(lines[i], "%*d %u %3s", &u, word));
    add(u), add_text(word);
    add(sscanf(lines[i], "%d,%d,%d", &a, &b, &c));
    add(a), add(b), add(c);
    add(sscanf(lines[i], "%d%%%d", &a, &b));
    add(a), add(b);
  }
  div_t d = div(-17, 5);
  ldiv_t e = ldiv(17, -5);
  add(d.quot), add(d.rem), add(e.quot), add(e.rem);
}

static void values(void) {
  static const int bases[] = {0, 10, 16, 8, 36};
  for (int i = 0; i < TEXTS; i++) {
    add(atoll(texts[i]));
    for (int b = 0; b < 5; b++) {
      char *end;
      add(strtoul(texts[i], &end, bases[b]));
      add(end - texts[i]);
      add(strtol(texts[i], &end, bases[b]));
      add(end - texts[i]);
      add(strtoull(texts[i], NULL, bases[b]));
      add(strtoll(texts[i], &end, bases[b]));
      add(end - texts[i]);
    }
  }
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) add(ffs(numbers[i]));
}

struct pair { char key; int value; };
static struct pair pairs[] = {{'d', 4}, {'a', 1}, {'c', 3}, {'b', 2}};
static const char *names[] = {"pear", "fig", "apple", "kiwi", "date"};

static int by_number(const void *x, const void *y) { int a = *(const int *)x, b = *(const int *)y; return (a > b) - (a < b); }
static int by_key(const void *x, const void *y) { return ((const struct pair *)x)->key - ((const struct pair *)y)->key; }
static int by_name(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

static void sorts(void) {
  qsort(numbers, sizeof numbers / sizeof *numbers, sizeof *numbers, by_number);
  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) add(numbers[i]);
  qsort(pairs, 4, sizeof *pairs, by_key);
  for (int i = 0; i < 4; i++) add(pairs[i].value);
  qsort(names, 5, sizeof *names, &by_name);
  for (int i = 0; i < 5; i++) add_text(names[i]);
  for (int n = -3; n < 12; n++) {
    int *found = bsearch(&n, numbers, sizeof numbers / sizeof *numbers, sizeof *numbers, by_number);
    add(found ? found - numbers : 999);
  }
}

int main(void) {
  prints();
  strings();
  tokens();
  values();
  scans();
  sorts();
  done = 1;
#ifdef SHOW
  printf("%lu\n", hash);
#endif
  return 0;
}
