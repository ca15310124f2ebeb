/* A pump: it primes, runs for some time at the most, and rests before it primes again. */
#include <stdint.h>
#include <stdbool.h>

#define PRIME_TIME 40u
#define MIN_OFF 60u
#define MAX_RUN 200u

extern int nondet_int(void);

uint32_t now;
static uint32_t entered;
static uint32_t stopped;
enum mode { IDLE, PRIMING, RUNNING, FAULT } mode = IDLE;
bool demand, dry, motor, valve, alarm;

static bool elapsed(uint32_t since, uint32_t limit)
{
    return now - since >= limit;
}

static void enter(enum mode next)
{
    if (mode == RUNNING)
        stopped = now;
    mode = next;
    entered = now;
}

static void step(void)
{
    switch (mode) {
    case IDLE:
        if (demand && elapsed(stopped, MIN_OFF))
            enter(PRIMING);
        break;
    case PRIMING:
        if (!demand)
            enter(IDLE);
        else if (elapsed(entered, PRIME_TIME))
            enter(RUNNING);
        break;
    case RUNNING:
        if (dry)
            enter(FAULT);
        else if (!demand || elapsed(entered, MAX_RUN))
            enter(IDLE);
        break;
    case FAULT:
        if (!demand)
            enter(IDLE);
        break;
    }
    valve = mode == PRIMING || mode == RUNNING;
    motor = mode == RUNNING;
    alarm = mode == FAULT;
}

int main(void)
{
    for (;;) {
        now++;
        demand = nondet_int() & 1;
        dry = nondet_int() & 1;
        step();
    }
}
