/* Memory without a value: locals before they are written, buried elements of arrays, and bytes that the environment gives and that no
 * run should read. All are full of one byte, and each read of the program is checked. */
#include "stepper.h"
#include <stdlib.h>
#include <string.h>

/* The woven program's functions. */
void ba_x_bury(void); /* overwrites elements of arrays, as `ba_x_ways` says */
int ba_x_buried(const volatile void *at); /* the array that this is in; -1 for other memory */
/* Whether locals may be marked; whether bytes may be left without a value. */
extern const unsigned ba_x_marks, ba_x_leaves;

/* How the elements of each array that no run reads before it writes them are found: 0 if they are not. */
unsigned ba_x_ways[BA_X_ARRAYS];
static int buries;

void ba_x_choose_ways(const char *numbers) {
  for (unsigned array = 0; array < BA_X_ARRAYS && *numbers; array++) {
    char *end;
    ba_x_ways[array] = (unsigned)strtoul(numbers, &end, 10);
    buries |= ba_x_ways[array] != 0;
    if (end == numbers) return;
    numbers = end + (*end == ',');
  }
}

/* Locals that are buried at heads, and where they were. */
static struct {
  volatile unsigned char *at;
  unsigned long n;
} left[BA_X_ARRAYS];

void ba_x_leave(unsigned number, void *at, unsigned long n) {
  if (number >= BA_X_ARRAYS || !ba_x_ways[number]) return;
  left[number].at = at;
  left[number].n = n;
  memset(at, BA_X_MARK, n);
}

/* The number of the array or local that this is in; a negative one where it is not known. */
static int buried_in(const volatile unsigned char *at) {
  for (int i = 0; i < BA_X_ARRAYS; i++)
    if (left[i].at && at >= left[i].at && at < left[i].at + left[i].n) return i;
  return ba_x_buried(at);
}

/* Bytes that the environment gives and that no run should read: they get no value but the mark, and the action tells the first of
 * those that they might have. Each place of the program that stores such bytes has a number. */
static unsigned char chosen_there[BA_X_PLACES];
static unsigned place;
static int unchosen; /* the value that was just given is such a one */
static long long unchosen_value;
static const volatile unsigned char *stored_at[BA_X_PLACES];
static struct stored {
  const volatile unsigned char *at;
  unsigned place;
} *stores;
static size_t store_count, store_room;

void ba_x_choose_places(const char *numbers) {
  char *end;
  for (; *numbers; numbers = end + (*end == ',')) {
    unsigned long number = strtoul(numbers, &end, 10);
    if (end == numbers) return;
    if (number < BA_X_PLACES) chosen_there[number] = 1;
  }
}

void ba_x_place_of(unsigned number) { place = number; }

long long ba_x_unless_read(const long long *of, unsigned n) {
  if (!ba_x_leaves || chosen_there[place]) return ba_x_choice(of, n);
  unchosen = 1;
  unchosen_value = of[0];
  return (signed char)BA_X_MARK;
}

/* The value was stored here. */
void ba_x_stored(const volatile void *at) {
  if (stored_at[place] == at) return;
  stored_at[place] = at;
  for (size_t i = 0; i < store_count; i++)
    if (stores[i].at == at && stores[i].place == place) return;
  if (store_count == store_room) stores = ba_x_grown(stores, (store_room = 2 * store_room + 64) * sizeof *stores);
  stores[store_count++] = (struct stored){ at, place };
}

/* The number of a place whose byte the program reads here although none was chosen; -1 if there is none. */
static int unread(const volatile unsigned char *from, unsigned long n) {
  for (size_t i = 0; i < store_count; i++)
    if (stores[i].at >= from && stores[i].at < from + n && *stores[i].at == BA_X_MARK && !chosen_there[stores[i].place])
      return (int)stores[i].place;
  return -1;
}

/* The program reads these bytes. If they may be those of a local without a value, the search ends. Not all bytes need be: the
 * program may have written the others. No pointer has the mark at its end that tells least. */
void ba_x_defined(const volatile void *at, unsigned long n, int is_pointer) {
  const volatile unsigned char *byte = at;
  unsigned long marks = 0;
  if (!ba_x_marks && !buries && !ba_x_leaves) return;
  for (unsigned long i = 0; i < n; i++) marks += byte[i] == BA_X_MARK;
  if (!marks || (is_pointer && marks != n && byte[n - 1] != BA_X_MARK && marks < n / 2)) return;
  int there = ba_x_leaves ? unread(byte, n) : -1;
  if (there >= 0) {
    ba_x_unchosen((unsigned)there);
  } else if (buries) {
    ba_x_unburied(buried_in(at));
  } else if (ba_x_marks || ba_x_leaves) {
    ba_x_unset();
  }
}

/* The library reads a string of the program's. */
void ba_x_text(const char *text, unsigned long most) {
  if (!text) return;
  for (; most; most--) {
    ba_x_defined(text, 1, 0);
    if (!*text++) return;
  }
}

/* Nothing is known any more of these bytes. */
void ba_x_forget(void *from, unsigned long n) {
  if (n) memset(from, BA_X_MARK, n);
}

/* The same of an array with a new text: if its last byte ended a text, it still does. */
void ba_x_forget_text(void *from, unsigned long n) {
  unsigned char *last = (unsigned char *)from + n - 1;
  if (!n) return;
  memset(from, BA_X_MARK, n - 1);
  if (*last) *last = BA_X_MARK;
}

/* Whether this is a byte that the environment gave. */
static int is_given(const unsigned char *at) {
  for (size_t i = 0; i < store_count; i++)
    if (stores[i].at == at) return 1;
  return 0;
}

/* Whether each of these bytes is zero, or was given without a value and may be zero when it is read; the last one is zero. */
int ba_x_is_unread(const void *from, unsigned long n) {
  const unsigned char *byte = from;
  if (byte[n - 1]) return 0;
  for (unsigned long i = 0; i + 1 < n; i++)
    if (byte[i] && !(ba_x_leaves && byte[i] == BA_X_MARK && unread(byte + i, 1) >= 0)) return 0;
  return 1;
}

/* The same of a text that was cut into words; of n bytes, or, if n is 0, up to its end, which must not be among forgotten bytes. */
void ba_x_cut(void *from, unsigned long n) {
  unsigned char *byte = from;
  if (!from || from == (void *)16) return; /* a word, of which nothing is known */
  for (unsigned long i = 0; (!n || i < n) && byte[i]; i++) {
    if (!n && byte[i] == BA_X_MARK && !is_given(byte + i)) {
      ba_x_unset();
      return;
    }
    byte[i] = BA_X_MARK;
  }
}

void ba_x_marks_begin(void) { unchosen = 0; }

void ba_x_marks_arrive(void) {
  if (buries) ba_x_bury();
}

/* The value that the trace tells where the program gets this one. */
long long ba_x_told_of(long long value) {
  long long told = unchosen ? unchosen_value : value;
  unchosen = 0;
  return told;
}
