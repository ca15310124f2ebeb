#include <stdint.h>
#include <stdbool.h>

/* A boiler: it purges, lights, runs, and locks out after a flame that does not come or goes out. */
#define PURGE     30u /* ticks for which the fan runs before gas */
#define IGNITION   8u /* ticks within which the flame has to come */
#define MIN_REST  40u /* ticks between two firings */
#define OVERRUN   20u /* ticks for which the pump runs on */

uint16_t nondet_ushort(void);

uint32_t now;

enum phase { REST, PURGING, LIGHTING, FIRING, LOCKED };

static enum phase phase = REST;
static uint32_t entered, stopped, hot;

bool demand, flame, reset;
bool fan, gas, pump, locked;

static bool passed(uint32_t since, uint32_t time)
{
    return now - since >= time;
}

static void enter(enum phase next)
{
    if (phase == FIRING)
        stopped = now;
    phase = next;
    entered = now;
}

static void sense(void)
{
    uint16_t word = nondet_ushort();
    demand = word & 1;
    flame = word >> 1 & 1;
    reset = word >> 2 & 1;
}

static void control(void)
{
    switch (phase) {
    case REST:
        if (demand && passed(stopped, MIN_REST))
            enter(PURGING);
        break;
    case PURGING:
        if (!demand)
            enter(REST);
        else if (passed(entered, PURGE))
            enter(LIGHTING);
        break;
    case LIGHTING:
        if (flame)
            enter(FIRING);
        else if (passed(entered, IGNITION))
            enter(LOCKED);
        break;
    case FIRING:
        hot = now;
        if (!flame)
            enter(LOCKED);
        else if (!demand)
            enter(REST);
        break;
    case LOCKED:
        if (reset)
            enter(REST);
        break;
    }
    fan = phase == PURGING || phase == LIGHTING || phase == FIRING;
    gas = phase == LIGHTING || phase == FIRING;
    locked = phase == LOCKED;
    pump = phase == FIRING || (pump && !passed(hot, OVERRUN));
}

int main(void)
{
    for (;;) {
        now++;
        sense();
        control();
tick: ;
    }
}
