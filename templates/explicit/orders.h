/* The sets of places whose values only their order tells apart, as the program's tables have them. */
#ifndef BA_ORDERS_H
#define BA_ORDERS_H
#include "stepper.h"

/* The most different values at one time. */
#define BA_X_KNOWN 64

/* The values of a set that the program may have at some place, in order: those at the last head, and the inputs since. */
struct ba_x_known {
  unsigned count;
  long long values[BA_X_KNOWN];
};

/* A set: the constants that its values are compared with, in order, the type, and the values that are known. */
struct ba_x_order {
  const long long *constants;
  unsigned count, bytes;
  int is_signed;
  struct ba_x_known *known;
};

extern const struct ba_x_order ba_x_orders[];
extern const unsigned ba_x_order_count;

/* Calls of the program. */
void *ba_x_cell(unsigned order, void *at);
int ba_x_again(void);
long long ba_x_ordered(unsigned order);
#endif
