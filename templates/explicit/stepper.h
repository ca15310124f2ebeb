/* The interface between a woven program, the stepper, and a search of all states of the program. */
#ifndef BA_STEPPER_H
#define BA_STEPPER_H
#include <stddef.h>
#include <stdint.h>

/* How a step ended. */
enum ba_x_end { BA_X_HEAD, BA_X_END, BA_X_DISCARDED, BA_X_WRONG };

/* What happened in a step, in order: a letter was taken at a site, or the environment gave a value there. */
struct ba_x_action {
  char kind; /* 'l' a letter, 't' the clock there, 'n' the report of a thread (its number, and the address of an object), 'c' a value of the environment, 'u' the value of an uninitialised local, 'o' a signed integer
              * overflows for the first time in the step, 'w' the age of an old stamp was compared: it is old (-1), or the clock has gone round (1) */
  long site; /* -1 for letter 0; the number of the place of an overflow */
  long long value; /* the number of the valuation, or the value */
};

/* A state from which a step can begin: the program's memory and its place. The owner frees it with free(). */
struct ba_x_memory;

/* The result of a step. */
struct ba_x_step {
  enum ba_x_end end;
  const unsigned char *key; /* identifies the state that the step led to */
  size_t key_size;
  uint64_t hash;            /* of the key */
  unsigned letter;          /* number of the last letter's valuation, or of the current one before any */
  const struct ba_x_action *actions;
  size_t count;
};

/* Prepares the stepper; called once, before all others. */
void ba_x_open(void);
/* The state before the program's first instruction. */
struct ba_x_memory *ba_x_initial(void);
/* Takes the first of the steps that begin at a state; ba_x_next takes the next one, and returns whether there was one. */
void ba_x_first(const struct ba_x_memory *from, struct ba_x_step *step);
int ba_x_next(const struct ba_x_memory *from, struct ba_x_step *step);
/* Of the last step: whether it chose one of several values, and how many heads it passed because it had chosen nothing. */
int ba_x_chose(void);
unsigned ba_x_heads(void);
/* The memory of the state that the last step led to. */
struct ba_x_memory *ba_x_remember(size_t *size);
/* The hash of some bytes. */
uint64_t ba_x_hash(const unsigned char *p, size_t n);
/* The number of the state with this key; *known is set if the state was met before. */
unsigned ba_x_number(const unsigned char *key, size_t size, int *known);
unsigned ba_x_number_of(const struct ba_x_step *step, int *known);
/* The number of the actions that these bytes tell. */
unsigned ba_x_sequence(const unsigned char *p, size_t size, int *known);
size_t ba_x_states(void);
/* Bytes that keys (and, if the search counts them, memories) take. */
extern size_t ba_x_bytes;
/* The valuations, as strings of 0 and 1 in the order of the propositions. */
const char *ba_x_valuation(unsigned number);
unsigned ba_x_valuations(void);
/* The value of the clock of the formulas, if the program has one. */
unsigned long long ba_x_now(void);
extern const int ba_x_has_now;
/* Whether one run is walked: then the clock is an action ('t') behind each letter, and reports of threads are actions ('n'). */
extern int ba_x_walks;
/* A thread of the program reports what it does. */
void ba_x_tells(unsigned long number, const volatile void *object);
/* The places of overflows. */
unsigned ba_x_places(void);
const char *ba_x_place(unsigned number, unsigned *line);
/* Called when the program does what C leaves undefined, with the number of the signal. It does not return. */
void ba_x_crashed(int number);
/* Called before that where nothing is broken yet: whether the search goes on, as if the step did not exist. */
int ba_x_passes_over(void);
/* Called when the program reads a local that has no value: the run is none of the program's, and ends where only some runs are
 * visited. */
void ba_x_unset(void);
/* Called elsewhere: the values have to be told apart. It does not return. */
void ba_x_undefined(void);
/* The most arrays whose elements may be buried, and variables: overwritten at heads where no run should read them before it writes them. The
 * numbers, with commas between them, are the ways in which these elements are found, for each array; 0 stands for none. */
#define BA_X_ARRAYS 32
void ba_x_choose_ways(const char *numbers);
/* The most places that store bytes which the environment gives. Of those with these numbers, with commas between them, the values
 * are chosen; the others are not read. */
#define BA_X_PLACES 4096
void ba_x_choose_places(const char *numbers);
/* Called when the program reads a byte of another place. */
void ba_x_unchosen(unsigned place);
/* Where it is not 0, the environment chooses at random. */
extern unsigned long long ba_x_random;
/* Where it is not 0, it chooses among few values at each site: which ones depends on this number. */
extern unsigned long long ba_x_few;
/* A formula that the run up to the last step violates, whatever follows, and that is not settled yet; 0 if there is none. */
int ba_x_violates(void);
void ba_x_settle(int formula);
/* Memory of a local without a value, and of a buried element, is full of this byte. */
#define BA_X_MARK 0xa5
/* Of memory without a value: the step begins, and ends at a head. */
void ba_x_marks_begin(void);
void ba_x_marks_arrive(void);
/* The value that the trace tells where the program gets this one. */
long long ba_x_told_of(long long value);
/* Whether states are identified by the ages of stamps (0: they are not; 1: they are; 2: old ones are one; 2:N: those of at most N are
 * not old). The step begins, and ends at a head. */
void ba_x_choose_ages(const char *how);
void ba_x_ages_begin(void);
void ba_x_ages_arrive(unsigned at);
void ba_x_ages_put(void);
/* Of places whose values only their order tells apart: the step ends at a head, whose state is recorded after that; and it is recorded
 * again, without the values of locals. */
void ba_x_orders_arrive(void);
void ba_x_put_again(void);
/* Called when there is no room between values: their order does not tell enough. It does not return. */
void ba_x_unordered(void);
/* Appends bytes to the key of the state at a head. */
void ba_x_put(const void *p, size_t n);
/* As realloc; ends the search where there is no memory. */
void *ba_x_grown(void *old, size_t size);
/* Called when ages were told apart too little: up to this one they make a difference; 0 if it is not known. */
void ba_x_mistimed(unsigned long long least);
/* One of n, which the environment chooses, or of these values; an action of the step. */
unsigned ba_x_pick(unsigned n);
long long ba_x_choice(const long long *of, unsigned n);
void ba_x_act(char kind, long site, long long value);
/* Called when the program reads an element that was buried: the number of the array, or a negative one where it is not known. */
void ba_x_unburied(int array);
#endif
