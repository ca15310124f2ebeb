/* Steps of a woven program, for a search of all its states: the interface between the program, the stepper, and a search. */
#ifndef BA_STEPPER_H
#define BA_STEPPER_H
#include <stddef.h>

/* How a step ended. */
enum ba_x_end { BA_X_HEAD, BA_X_END, BA_X_DISCARDED, BA_X_TOO_LONG, BA_X_WRONG };

/* What happened in a step, in order: a letter was taken at a site, or the environment gave a value there. */
struct ba_x_action {
  char kind; /* 'l' a letter, 'c' a value of the environment, 'u' the value of a local that has none */
  long site; /* -1 for letter 0 */
  long long value; /* the number of the valuation, or the value */
};

/* A state of the program from which a step can begin: its memory, and where it is. Its owner frees it with free(). */
struct ba_x_memory;

/* What a step led to. */
struct ba_x_step {
  enum ba_x_end end;
  const unsigned char *key; /* the state as the slice has it */
  size_t key_size;
  unsigned letter;          /* the number of the valuation that stays */
  const struct ba_x_action *actions;
  size_t count;
};

/* Once, at the start of the search. */
void ba_x_open(void);
/* The state before the program's first instruction. */
struct ba_x_memory *ba_x_initial(void);
/* Takes the first of the steps that begin at a state; ba_x_next takes the next one, and tells whether there was one. */
void ba_x_first(const struct ba_x_memory *from, struct ba_x_step *step);
int ba_x_next(const struct ba_x_memory *from, struct ba_x_step *step);
/* The memory of the state that the last step led to. */
struct ba_x_memory *ba_x_remember(size_t *size);
/* The number of a state that a key stands for; *known tells whether it was met before. */
unsigned ba_x_number(const unsigned char *key, size_t size, int *known);
size_t ba_x_states(void);
/* Bytes that keys and memories take. */
extern size_t ba_x_bytes;
/* The valuations. */
const char *ba_x_valuation(unsigned number);
unsigned ba_x_valuations(void);
/* Called when the program does what C leaves undefined, with the number of the signal. */
void ba_x_crashed(int number);
#endif
