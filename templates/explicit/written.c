#include "written.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is not written yet. Only whole lines and records are, so that what was written never ends within one where the search ends. */
static unsigned char out[1 << 16];
static size_t out_used;

static void write_all(const unsigned char *from, size_t n) {
  while (n) {
    ssize_t done = write(1, from, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(5);
    from += done;
    n -= (size_t)done;
  }
}

void ba_x_tell_all(void) {
  write_all(out, out_used);
  out_used = 0;
}

/* Room for so many bytes of a record. */
static unsigned char *room(size_t n) {
  if (out_used + n > sizeof out) ba_x_tell_all();
  return out + out_used;
}

void ba_x_tell_line(const char *format, ...) {
  va_list list;
  static char *line;
  static size_t line_room;
  va_start(list, format);
  size_t n = (size_t)vsnprintf(line, line_room, format, list);
  va_end(list);
  if (n >= line_room) {
    line = ba_x_grown(line, line_room = n + 256);
    va_start(list, format);
    vsnprintf(line, line_room, format, list);
    va_end(list);
  }
  if (n > sizeof out) {
    ba_x_tell_all();
    write_all((unsigned char *)line, n);
    return;
  }
  memcpy(room(n), line, n);
  out_used += n;
}

void ba_x_give_up(const char *why) {
  ba_x_tell_line("T %s\n", why);
  ba_x_tell_all();
  _exit(0);
}

void ba_x_crashed(int number) {
  ba_x_tell_line("T crash %d\n", number);
  ba_x_tell_all();
  _exit(0);
}

int ba_x_passing;
unsigned long long ba_x_passed;
int ba_x_passes_over(void) {
  ba_x_passed += ba_x_passing != 0;
  return ba_x_passing;
}

void ba_x_undefined(void) { ba_x_give_up("undefined"); }

void ba_x_unordered(void) { ba_x_give_up("classes"); }

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

/* What makes a step another one, but for where it leads: its letters, and what it rests on. Not counted before `ba_x_is_new`. */
void ba_x_letters_of(const struct ba_x_action *actions, size_t count) {
  size_t size = sizeof(unsigned) * (3 + count), n = 3;
  unsigned rests_on = 0; /* an overflow; an old time stamp; one that the clock has come round to */
  if (seen_used + size > seen_room) {
    seen = realloc(seen, seen_room = 2 * (seen_used + size) + 4096);
    if (!seen) ba_x_give_up("memory");
  }
  unsigned *mine = (unsigned *)(void *)(seen + seen_used);
  for (size_t i = 0; i < count; i++) {
    if (actions[i].kind == 'l') mine[n++] = (unsigned)actions[i].value;
    if (actions[i].kind == 'o') rests_on |= 1;
    if (actions[i].kind == 'w') rests_on |= actions[i].value < 0 ? 2 : 4;
  }
  mine[0] = (unsigned)(n * sizeof(unsigned));
  mine[2] = rests_on;
}

int ba_x_is_new(unsigned to) {
  unsigned *mine = (unsigned *)(void *)(seen + seen_used);
  size_t size = mine[0];
  mine[1] = to;
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
  for (; told < ba_x_valuations(); told++) ba_x_tell_line("L %u %s\n", told, ba_x_valuation(told));
  for (; places < ba_x_places(); places++) {
    unsigned line;
    const char *file = ba_x_place(places, &line);
    ba_x_tell_line("O %u %u %s\n", places, line, file);
  }
}

/* A key begins with the site of its head. */
int ba_x_site_of(const struct ba_x_step *step) {
  int site;
  memcpy(&site, step->key, sizeof site);
  return site;
}

/* Records. Their numbers are written seven bits at a time, the least first, the highest bit set in all bytes but the last. */
enum { STEP = 1, FROM, STATE, ACTIONS };

/* The most bytes of a number. */
#define LONGEST 10

static unsigned char *number(unsigned char *at, unsigned long long value) {
  for (; value > 127; value >>= 7) *at++ = (unsigned char)(value | 128);
  *at++ = (unsigned char)value;
  return at;
}

/* A number that may be negative: the sign becomes the lowest bit. */
static unsigned char *with_sign(unsigned char *at, long long value) {
  unsigned long long twice = (unsigned long long)value << 1;
  return number(at, value < 0 ? ~twice : twice);
}

/* The number of the actions of a step, which are written when they come for the first time: most steps have those of others. */
static unsigned actions_told(const struct ba_x_action *actions, size_t count) {
  static unsigned char *coded;
  static size_t coded_room;
  if (coded_room < count * (1 + 2 * LONGEST)) coded = ba_x_grown(coded, coded_room = 2 * count * (1 + 2 * LONGEST));
  unsigned char *end = coded;
  for (size_t i = 0; i < count; i++) {
    *end++ = (unsigned char)actions[i].kind;
    end = with_sign(end, actions[i].site);
    end = with_sign(end, actions[i].value);
  }
  int known;
  size_t n = (size_t)(end - coded);
  unsigned told = ba_x_sequence(coded, n, &known);
  if (known) return told;
  unsigned char *at = room(1 + LONGEST);
  *at++ = ACTIONS;
  out_used = (size_t)(number(at, n) - out);
  if (out_used + n <= sizeof out) {
    memcpy(out + out_used, coded, n);
    out_used += n;
  } else {
    ba_x_tell_all();
    write_all(coded, n);
  }
  return told;
}

void ba_x_tell_step(unsigned from, unsigned to, const struct ba_x_action *actions, size_t count) {
  static unsigned last = ~0u;
  ba_x_tell_valuations();
  unsigned of = actions_told(actions, count);
  unsigned char *at = room(2 + 3 * LONGEST);
  if (from != last) {
    *at++ = FROM;
    at = number(at, last = from);
  }
  *at++ = STEP;
  at = number(at, to);
  out_used = (size_t)(number(at, of) - out);
}

void ba_x_tell_state(char kind, unsigned letter, int site) {
  ba_x_tell_valuations();
  unsigned char *at = room(2 + 2 * LONGEST);
  *at++ = STATE;
  *at++ = (unsigned char)kind;
  at = number(at, letter);
  out_used = (size_t)(number(at, (unsigned)site + 1u) - out);
}
