#define _DEFAULT_SOURCE
#include "written.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ba_x_give_up(const char *why) {
  printf("T %s\n", why);
  fflush(stdout);
  _exit(0);
}

void ba_x_crashed(int number) {
  char text[64];
  int n = snprintf(text, sizeof text, "\nT crash %d\n", number);
  fflush(stdout);
  (void)!write(1, text, (size_t)n);
  _exit(0);
}

int ba_x_passing;
unsigned long long ba_x_passed;
int ba_x_passes_over(void) {
  ba_x_passed += ba_x_passing != 0;
  return ba_x_passing;
}

void ba_x_undefined(void) { ba_x_give_up("undefined"); }

void ba_x_unchosen(unsigned place) {
  char text[64];
  snprintf(text, sizeof text, "unchosen %u", place);
  ba_x_give_up(text);
}

void ba_x_mistimed(unsigned long long least) {
  char text[64];
  snprintf(text, sizeof text, "ages %llu", least);
  ba_x_give_up(text);
}

void ba_x_unburied(int array) {
  char text[64];
  snprintf(text, sizeof text, "unburied %d", array);
  ba_x_give_up(text);
}

/* The steps of the current state that are already written, so that equal steps are written once, and a table of them: a state may
   have tens of thousands. A slot of another state is free. */
static unsigned char *seen;
static size_t seen_used, seen_room, seen_count;
static struct written { unsigned long long state; size_t at; } *table;
static size_t slots;
static unsigned long long state;

void ba_x_tell_steps(void) {
  seen_used = seen_count = 0;
  state++;
}

static size_t slot_of(const unsigned char *step, size_t size) { return (size_t)(ba_x_hash(step, size) >> 32) & (slots - 1); }

static size_t size_at(size_t at) { return *(unsigned *)(void *)(seen + at); }

/* Makes room for one more step. */
static void spread(void) {
  if (2 * (seen_count + 1) <= slots) return;
  slots = slots ? 2 * slots : 64;
  free(table);
  table = calloc(slots, sizeof *table);
  if (!table) ba_x_give_up("memory");
  for (size_t at = 0; at < seen_used; at += size_at(at)) {
    size_t slot = slot_of(seen + at, size_at(at));
    while (table[slot].state == state) slot = (slot + 1) & (slots - 1);
    table[slot] = (struct written){ state, at };
  }
}

int ba_x_is_new(unsigned to, const struct ba_x_action *actions, size_t count) {
  size_t size = sizeof(unsigned) * 3, n = 0;
  unsigned rests_on = 0; /* an overflow; an old time stamp; one that the clock has come round to */
  for (size_t i = 0; i < count; i++) {
    n += actions[i].kind == 'l';
    if (actions[i].kind == 'o') rests_on |= 1;
    if (actions[i].kind == 'w') rests_on |= actions[i].value < 0 ? 2 : 4;
  }
  size += n * sizeof(unsigned);
  if (seen_used + size > seen_room) {
    seen = realloc(seen, seen_room = 2 * (seen_used + size) + 4096);
    if (!seen) ba_x_give_up("memory");
  }
  unsigned *mine = (unsigned *)(void *)(seen + seen_used);
  mine[0] = (unsigned)size;
  mine[1] = to;
  mine[2] = rests_on;
  n = 3;
  for (size_t i = 0; i < count; i++)
    if (actions[i].kind == 'l') mine[n++] = (unsigned)actions[i].value;
  spread();
  size_t slot = slot_of(seen + seen_used, size);
  for (; table[slot].state == state; slot = (slot + 1) & (slots - 1)) {
    size_t at = table[slot].at;
    if (size_at(at) == size && memcmp(seen + at, mine, size) == 0) return 0;
  }
  table[slot] = (struct written){ state, seen_used };
  seen_used += size;
  seen_count++;
  return 1;
}

void ba_x_tell_valuations(void) {
  static unsigned told, places;
  for (; told < ba_x_valuations(); told++) printf("L %u %s\n", told, ba_x_valuation(told));
  for (; places < ba_x_places(); places++) {
    unsigned line;
    const char *file = ba_x_place(places, &line);
    printf("O %u %u %s\n", places, line, file);
  }
}

/* A key begins with the site of its head. */
int ba_x_site_of(const struct ba_x_step *step) {
  int site;
  memcpy(&site, step->key, sizeof site);
  return site;
}



/* Writes a number in front of the end of a text. Most of what is written are steps, so that a printf for each takes a fifth of the time. */
static char *decimal(char *end, unsigned long long value, int negative) {
  do *--end = (char)('0' + value % 10);
  while (value /= 10);
  if (negative) *--end = '-';
  return end;
}

/* Writes a character and a number. */
static void tell(char before, long long value) {
  char text[24], *end = text + sizeof text;
  unsigned long long positive = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
  char *begin = decimal(end, positive, value < 0);
  *--begin = before;
  fwrite_unlocked(begin, 1, (size_t)(end - begin), stdout);
}

void ba_x_tell_step(unsigned from, unsigned to, const struct ba_x_action *actions, size_t count) {
  ba_x_tell_valuations();
  putchar_unlocked('E');
  tell(' ', from);
  tell(' ', to);
  for (size_t i = 0; i < count; i++) {
    putchar_unlocked(' ');
    putchar_unlocked(actions[i].kind);
    tell(':', actions[i].site);
    tell(':', actions[i].value);
  }
  putchar_unlocked('\n');
}

void ba_x_tell_state(unsigned number, char kind, unsigned letter, int site) {
  ba_x_tell_valuations();
  putchar_unlocked('N');
  tell(' ', number);
  putchar_unlocked(' ');
  putchar_unlocked(kind);
  tell(' ', letter);
  tell(' ', site);
  putchar_unlocked('\n');
}
