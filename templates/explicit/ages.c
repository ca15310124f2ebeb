/* The times of a program, of which only the ages of stamps make a difference (crates/explicit/src/classes/ages.rs). A state at a
 * head of `main` is identified by them. A stamp that is older than all that its age is compared with is old: there it gets an age that
 * no other one has. Where its age is compared later, the result is that of an old stamp, or the other one, because the clock may have gone
 * round since. */
#include "stepper.h"
#include <stdlib.h>
#include <string.h>

#define BA_X_STAMPS 64

/* In the program's memory, so that each state has its own: the clock as the program has written it last; the stamps that are old, with
 * the greatest age that makes a difference to each. */
extern unsigned long long ba_x_clock;
extern struct {
  unsigned long long stamp, limit;
} ba_x_olds[BA_X_STAMPS];
extern unsigned ba_x_old_count;
/* The width of times. */
extern const unsigned ba_x_width;
/* Whether states at a head are identified by ages. */
int ba_x_shifts_at(unsigned at);

/* Whether ages are compared as signed numbers: negative ones are those of deadlines. */
extern const int ba_x_deadlines;

static enum { TIMES, EXACT, LIMITED } ages;
static unsigned long long least; /* no stamp that is not older is old */
static int shifts;
static unsigned long long passed; /* since the step began */
static int reads_old;             /* the age of an old stamp was read, and is not compared yet: with numbers up to `limit` */
static unsigned long long limit, with;

void ba_x_choose_ages(const char *how) {
  ages = *how == '1' ? EXACT : *how == '2' ? LIMITED : TIMES;
  if (*how && how[1] == ':') least = strtoull(how + 2, 0, 10);
}

void ba_x_ages_begin(void) {
  passed = 0;
  shifts = reads_old = 0;
}

static unsigned long long mask(void) { return ba_x_width < 64 ? (1ull << ba_x_width) - 1 : ~0ull; }

/* Where the frames of callers are parts of the state, so are all times, and which of them are old. */
void ba_x_ages_arrive(unsigned at) {
  shifts = ages != TIMES && ba_x_shifts_at(at);
  if (shifts) ba_x_old_count = 0;
}
void ba_x_ages_put(void) {
  if (ages == TIMES || shifts) return;
  ba_x_put(&ba_x_clock, sizeof ba_x_clock);
  ba_x_put(&ba_x_old_count, sizeof ba_x_old_count);
  ba_x_put(ba_x_olds, ba_x_old_count * sizeof *ba_x_olds);
}

int ba_x_shifts(void) { return shifts; }

/* Whether times are followed: nothing else may shift them. */
int ba_x_follows_times(void) { return ages != TIMES; }

/* The ages of old stamps begin at a quarter, those of others end before: a step is shorter than a quarter, so that both stay below
 * the middle, where signed numbers are negative. Deadlines are less than a quarter ahead. */
static unsigned stamps(void) { return ba_x_width > 8 ? BA_X_STAMPS : 16; }
static unsigned long long quarter(void) { return ba_x_width ? 1ull << (ba_x_width - 2) : 0; }

/* The age by which a stamp is identified. */
unsigned long long ba_x_settled(unsigned long long age, unsigned long long most) {
  if (!shifts || ages != LIMITED) return age;
  if (most < least) most = least;
  if (most >= quarter()) ba_x_mistimed(0);
  if (age <= most) return age;
  if (ba_x_deadlines && age >= 3 * quarter()) return age;
  if ((ba_x_deadlines && age >= 2 * quarter()) || ba_x_old_count == stamps()) ba_x_mistimed(0);
  age = quarter() + ba_x_old_count;
  ba_x_olds[ba_x_old_count].stamp = (ba_x_clock - age) & mask();
  ba_x_olds[ba_x_old_count++].limit = most;
  return age;
}

/* The clock was written. An old stamp must not come round within a step, and no other one come to look like it. */
void ba_x_moved(unsigned long long to) {
  unsigned long long most = quarter() - stamps();
  unsigned long long by = (to - ba_x_clock) & mask();
  ba_x_clock = to;
  if (ages != LIMITED) return;
  if (by >= most || (passed += by) >= most) ba_x_mistimed(0);
}

/* An age is compared with this number. */
void ba_x_limit(unsigned long long number) { with = number; }
/* The same where both are signed: each old stamp has a positive age. */
void ba_x_limit_signed(long long number) { with = number < 0 ? 0 : (unsigned long long)number; }
/* The time that is left until a stamp is compared with this number: what is left until an old one is negative, or greater than half. */
void ba_x_limit_left(unsigned long long number) { with = number < 2 * quarter() ? 0 : number; }
void ba_x_limit_left_signed(long long number) { with = number < 0 ? -(unsigned long long)number : 0; }

/* The age of this stamp is read. */
static void reads(unsigned long long stamp) {
  for (unsigned i = 0; i < ba_x_old_count; i++) {
    if (ba_x_olds[i].stamp != (stamp & mask())) continue;
    if (!reads_old || ba_x_olds[i].limit < limit) limit = ba_x_olds[i].limit;
    reads_old = 1;
  }
}

/* An age is read, from a time that is so much ahead of the clock. */
unsigned long long ba_x_age(unsigned long long age, unsigned long long ahead) {
  reads_old = 0;
  if (ages != LIMITED) return age;
  if (ahead) ba_x_mistimed(0);
  reads(ba_x_clock - age);
  return age;
}

/* The time is read that is left until a stamp, which is so much ahead of the clock. */
unsigned long long ba_x_left(unsigned long long left, unsigned long long ahead) {
  reads_old = 0;
  if (ages != LIMITED) return left;
  if (left != ahead) ba_x_mistimed(0);
  reads(ba_x_clock + left);
  return left;
}

/* An age and a number were compared, with this result. */
int ba_x_told(int holds) {
  if (!reads_old) return holds;
  reads_old = 0;
  if (with > limit) ba_x_mistimed(with < quarter() ? with : 0);
  unsigned other = ba_x_pick(2);
  ba_x_act('w', 0, other ? 1 : -1);
  return other ? !holds : holds;
}
