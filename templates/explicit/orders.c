/* Places whose values the program copies and compares, and does nothing else with: only their order matters, and that to
 * constants. At each head the values in them are replaced by others in the same order, far from each other, so that states which differ in
 * nothing but the values become one, and an input can come between any two. Between two constants with few values
 * between them, values stay what they are. */
#include "orders.h"
#include <stdlib.h>
#include <string.h>

/* Between constants with at most so many values between them, each is tried. */
#define BA_X_NEAR 16
#define BA_X_CELLS 4096
#define BA_X_VALUES 4096
/* How far values are from each other where there is room. */
#define BA_X_APART 65536

typedef __int128 wide;

static struct cell {
  unsigned order;
  void *at;
  long long value;
  int is_set;
} cells[BA_X_CELLS];
static unsigned cell_count;
static enum { IDLE, TOLD, PUT } phase;

/* The values of a set of places, and of its type. */
static long long least(const struct ba_x_order *of) { return of->is_signed ? -1 - (long long)(~0ull >> (65 - 8 * of->bytes)) : 0; }
static wide greatest(const struct ba_x_order *of) { return of->is_signed ? (wide)(~0ull >> (65 - 8 * of->bytes)) : (wide)(~0ull >> (64 - 8 * of->bytes)); }

/* Unsigned numbers of 64 bits are kept as signed ones. */
static wide widened(const struct ba_x_order *of, long long value) {
  return of->is_signed || of->bytes < 8 ? (wide)value : (wide)(unsigned long long)value;
}

static long long read_from(const struct ba_x_order *of, const void *at) {
  long long value = 0;
  memcpy(&value, at, of->bytes);
  unsigned unused = 64 - 8 * of->bytes;
  return of->is_signed ? (long long)((unsigned long long)value << unused) >> unused : value;
}

/* Whether memory is full of the byte that stands for no value. */
static int is_marked(const void *at, unsigned bytes) {
  const unsigned char *byte = at;
  unsigned marks = 0;
  for (unsigned i = 0; i < bytes; i++) marks += byte[i] == BA_X_MARK;
  return marks == bytes;
}

/* The place of a value among sorted ones: the first one that is not less. */
static unsigned place_of(const struct ba_x_order *of, const long long *all, unsigned count, wide value) {
  unsigned at = 0;
  while (at < count && widened(of, all[at]) < value) at++;
  return at;
}

static int is_at(const struct ba_x_order *of, const long long *all, unsigned count, unsigned at, wide value) {
  return at < count && widened(of, all[at]) == value;
}

/* Adds a value to those that are known. */
static void know(const struct ba_x_order *of, long long value) {
  struct ba_x_known *known = of->known;
  unsigned at = place_of(of, known->values, known->count, widened(of, value));
  if (is_at(of, known->values, known->count, at, widened(of, value))) return;
  if (known->count == BA_X_KNOWN) ba_x_unordered();
  memmove(known->values + at + 1, known->values + at, (known->count - at) * sizeof *known->values);
  known->values[at] = value;
  known->count++;
}

/* The constants next to a value that is none: it lies between them. */
static void around(const struct ba_x_order *of, wide value, wide *below, wide *above) {
  unsigned at = place_of(of, of->constants, of->count, value);
  *below = at > 0 ? widened(of, of->constants[at - 1]) : (wide)least(of) - 1;
  *above = at < of->count ? widened(of, of->constants[at]) : greatest(of) + 1;
}

static int is_constant(const struct ba_x_order *of, wide value) {
  return is_at(of, of->constants, of->count, place_of(of, of->constants, of->count, value), value);
}

/* Whether a byte of a value is one that memory without a value is full of. */
static int looks_marked(const struct ba_x_order *of, wide value) {
  for (unsigned i = 0; i < of->bytes; i++)
    if (((unsigned long long)value >> 8 * i & 0xff) == BA_X_MARK) return 1;
  return 0;
}

/* A value between two others, near to one that is, and which does not look as if it were none. */
static wide clean(const struct ba_x_order *of, wide from, wide to, wide value) {
  for (unsigned by = 0; by < 1024; by++) {
    if (value + by < to && !looks_marked(of, value + by)) return value + by;
    if (value - by > from && !looks_marked(of, value - by)) return value - by;
  }
  ba_x_unordered();
  return value;
}

static int is_end(const struct ba_x_order *of, wide value) { return value < least(of) || value > greatest(of); }

/* The value that stands for one of those that are known. */
static long long standing(const struct ba_x_order *of, long long value) {
  wide own = widened(of, value), below, above;
  if (is_constant(of, own)) return value;
  around(of, own, &below, &above);
  if (above - below - 1 <= BA_X_NEAR) return value;
  wide number = 0, all = 0;
  for (unsigned i = 0; i < of->known->count; i++) {
    wide other = widened(of, of->known->values[i]);
    if (other <= below || other >= above) continue;
    all++;
    number += other <= own;
  }
  wide apart = (above - below) / (all + 1);
  if (apart > BA_X_APART) apart = BA_X_APART;
  if (apart < 4) ba_x_unordered();
  wide near = below + number * apart;
  if (is_end(of, below)) near = is_end(of, above) && of->is_signed ? (number - all / 2) * apart : above - (all + 1 - number) * apart;
  return (long long)clean(of, near - apart / 2, near + apart / 2, near);
}

/* Replaces the values in the places of a set. */
static void arrange(unsigned order) {
  const struct ba_x_order *of = &ba_x_orders[order];
  struct ba_x_known now = { 0 };
  of->known->count = 0;
  /* A place may be told twice: all are read before one is written. */
  for (unsigned i = 0; i < cell_count; i++) {
    struct cell *cell = &cells[i];
    cell->is_set = cell->order == order && !is_marked(cell->at, of->bytes);
    if (!cell->is_set) continue;
    cell->value = read_from(of, cell->at);
    know(of, cell->value);
  }
  for (unsigned i = 0; i < cell_count; i++) {
    if (!cells[i].is_set) continue;
    long long value = standing(of, cells[i].value);
    memcpy(cells[i].at, &value, of->bytes);
  }
  now.count = of->known->count;
  for (unsigned i = 0; i < now.count; i++) now.values[i] = standing(of, of->known->values[i]);
  memcpy(of->known, &now, sizeof now);
}

/* The step ends at a head: the state is recorded twice, and the first time only says where values are. */
void ba_x_orders_arrive(void) {
  cell_count = 0;
  phase = ba_x_order_count ? TOLD : IDLE;
}

/* There is such a value here. */
void *ba_x_cell(unsigned order, void *at) {
  if (phase != TOLD) return at;
  if (cell_count == BA_X_CELLS) ba_x_unordered();
  cells[cell_count++] = (struct cell){ .order = order, .at = at };
  return at;
}

/* Whether the state is recorded again. */
int ba_x_again(void) {
  if (phase != TOLD) {
    phase = IDLE;
    return 0;
  }
  phase = PUT;
  for (unsigned order = 0; order < ba_x_order_count; order++) arrange(order);
  ba_x_put_again();
  return 1;
}

/* The values that an input may have. */
static long long values[BA_X_VALUES];
static unsigned value_count;

static void offer(wide value) {
  if (value_count == BA_X_VALUES) ba_x_unordered();
  values[value_count++] = (long long)value;
}

/* Offers a value between two neighbours. */
static void offer_between(const struct ba_x_order *of, wide from, wide to) {
  wide middle = from + (to - from) / 2;
  if (to - from < 2) ba_x_unordered();
  if (is_end(of, from) && is_end(of, to)) middle = 0;
  else if (is_end(of, from) && middle < to - BA_X_APART) middle = to - BA_X_APART;
  else if (is_end(of, to) && middle > from + BA_X_APART) middle = from + BA_X_APART;
  offer(clean(of, from, to, middle));
}

/* An input of a set: one of the values that the program may compare it with, or one between two of these. Between near constants, any. */
long long ba_x_ordered(unsigned order) {
  const struct ba_x_order *of = &ba_x_orders[order];
  const struct ba_x_known *known = of->known;
  wide below = (wide)least(of) - 1;
  value_count = 0;
  for (unsigned constant = 0; constant <= of->count; constant++) {
    wide above = constant < of->count ? widened(of, of->constants[constant]) : greatest(of) + 1, last = below;
    int near = above - below - 1 <= BA_X_NEAR;
    for (wide value = below + 1; near && value < above; value++) offer(value);
    for (unsigned i = 0; !near && i < known->count; i++) {
      wide value = widened(of, known->values[i]);
      if (value <= below || value >= above) continue;
      offer_between(of, last, value);
      offer(value);
      last = value;
    }
    if (!near) offer_between(of, last, above);
    if (constant < of->count) offer(above);
    below = above;
  }
  long long value = values[value_count > 1 ? ba_x_pick(value_count) : 0];
  know(of, value);
  return value;
}
