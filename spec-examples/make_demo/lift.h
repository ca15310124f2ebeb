/* The state of the lift, shared by its two controllers. */
#ifndef LIFT_H
#define LIFT_H

#define FLOORS 2

extern int floor_now;

int is_open(int door);
int is_moving(int speed);

#endif
