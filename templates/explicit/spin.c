/* The steps of a woven program for SPIN: SPIN's state is the number of a key; its steps are computed at the first request and
 * kept. */
#include "stepper.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kept {
  unsigned to, letters;
  unsigned *letter;
};
struct place {
  struct ba_x_memory *memory;
  struct kept *steps;
  int count; /* -1: not computed */
  int ended;
  unsigned letter;
};

static struct place *places;
static size_t room;

void ba_x_crashed(int number) {
  char text[64];
  int n = snprintf(text, sizeof text, "\nba_crash %d\n", number);
  (void)!write(1, text, (size_t)n);
  _exit(9);
}

int ba_x_passes_over(void) { return 0; }
void ba_x_undefined(void) { ba_x_crashed(0); }
void ba_x_unordered(void) { ba_x_crashed(0); }
void ba_x_unchosen(unsigned place) { ba_x_crashed((int)place); }
void ba_x_mistimed(unsigned long long least) { (void)least, ba_x_crashed(0); } /* times are as they are */
void ba_x_unburied(int array) { ba_x_crashed(array); } /* nothing is buried here */

static void *sure(void *p) {
  if (p) return p;
  puts("ba_memory");
  fflush(stdout);
  _exit(9);
}

static struct place *place(unsigned number) {
  if (number >= room) {
    size_t more = 2 * (size_t)number + 64;
    places = sure(realloc(places, more * sizeof *places));
    memset(places + room, 0, (more - room) * sizeof *places);
    for (size_t i = room; i < more; i++) places[i].count = -1;
    room = more;
  }
  return &places[number];
}

static void open_once(void) {
  static int opened;
  if (opened) return;
  opened = 1;
  int known;
  ba_x_open();
  ba_x_choose_places(BA_X_READ);
  unsigned root = ba_x_number((const unsigned char *)"start", 5, &known);
  place(root)->memory = ba_x_initial();
}

static void compute(unsigned at) {
  struct ba_x_step step = { 0 };
  struct ba_x_memory *memory = place(at)->memory;
  struct kept *steps = 0;
  int count = 0, space = 0;
  if (memory) {
    ba_x_first(memory, &step);
    do {
      if (step.end == BA_X_DISCARDED) continue;
      if (step.end == BA_X_WRONG) ba_x_crashed(0);
      int known;
      size_t size;
      unsigned to = ba_x_number(step.key, step.key_size, &known);
      struct place *p = place(to);
      if (!known) {
        p->ended = step.end == BA_X_END;
        p->letter = step.letter;
        if (!p->ended) p->memory = ba_x_remember(&size);
      }
      if (count == space) steps = sure(realloc(steps, (size_t)(space = 2 * space + 8) * sizeof *steps));
      struct kept *kept = &steps[count++];
      kept->to = to;
      kept->letters = 0;
      kept->letter = sure(malloc((step.count + 1) * sizeof *kept->letter));
      for (size_t i = 0; i < step.count; i++)
        if (step.actions[i].kind == 'l') kept->letter[kept->letters++] = (unsigned)step.actions[i].value;
      for (int i = 0; i + 1 < count; i++) {
        if (steps[i].to != to || steps[i].letters != kept->letters) continue;
        if (memcmp(steps[i].letter, kept->letter, kept->letters * sizeof *kept->letter) != 0) continue;
        free(kept->letter);
        count--;
        break;
      }
    } while (ba_x_next(memory, &step));
    free(memory);
  }
  struct place *p = place(at);
  p->memory = 0;
  p->steps = steps;
  p->count = count;
}

int ba_s_steps(int at) {
  open_once();
  if (place((unsigned)at)->count < 0) compute((unsigned)at);
  return place((unsigned)at)->count;
}
int ba_s_ended(int at) { return place((unsigned)at)->ended; }
int ba_s_last(int at) { return (int)place((unsigned)at)->letter; }
int ba_s_to(int at, int step) { return (int)place((unsigned)at)->steps[step].to; }
int ba_s_letters(int at, int step) { return (int)place((unsigned)at)->steps[step].letters; }
int ba_s_letter(int at, int step, int n) { return (int)place((unsigned)at)->steps[step].letter[n]; }
int ba_s_holds(int letter, int proposition) { return ba_x_valuation((unsigned)letter)[proposition] == '1'; }
