#include <stdint.h>
#include <stdbool.h>

/* A garage door: it opens on a button, closes by itself, reverses when something is in the way. */
#define TRAVEL   120u /* ticks of a movement, at the most */
#define HOLD      50u /* ticks for which it stays open */
#define PAUSE      5u /* ticks between two directions */

extern int read_button(void), read_beam(void), read_upper(void), read_lower(void);

volatile uint32_t ticks;

enum state { CLOSED, OPENING, OPEN, CLOSING, REVERSING, BROKEN };

static struct {
    enum state state;
    uint32_t since;
} door;

bool button, beam, upper, lower;
bool up, down, lamp;

static uint32_t now(void)
{
    return ticks;
}

static void go(enum state next)
{
    door.state = next;
    door.since = now();
}

static bool lasted(uint32_t limit)
{
    return now() - door.since >= limit;
}

static void control(void)
{
    switch (door.state) {
    case CLOSED:
        if (button)
            go(OPENING);
        break;
    case OPENING:
        if (upper)
            go(OPEN);
        else if (lasted(TRAVEL))
            go(BROKEN);
        break;
    case OPEN:
        if (!beam && lasted(HOLD))
            go(CLOSING);
        break;
    case CLOSING:
        if (beam || button)
            go(REVERSING);
        else if (lower)
            go(CLOSED);
        else if (lasted(TRAVEL))
            go(BROKEN);
        break;
    case REVERSING:
        if (lasted(PAUSE))
            go(OPENING);
        break;
    case BROKEN:
        break;
    }
    up = door.state == OPENING;
    down = door.state == CLOSING;
    lamp = up || down || door.state == REVERSING;
}

int main(void)
{
    for (;;) {
        ticks++;
        button = read_button() & 1;
        beam = read_beam() & 1;
        upper = read_upper() & 1;
        lower = read_lower() & 1;
        control();
period: ;
    }
}
