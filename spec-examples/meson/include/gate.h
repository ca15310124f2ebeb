/* A gate: what it is told, and whether it is open. */
#define OPEN_IT 1
#define SHUT_IT 2

extern int open_gates;
