/* A reactor's control loop: it reads an order, a temperature and the operator's switches, and moves
 * rods. Orders: 1 start, 2 raise, 3 lower, 4 stop. */
#include <stdio.h>
#include <unistd.h>

enum state { OFF, WARM, HOT, SCRAM };

static enum state state = OFF;
static int rods = 3; /* 0 is out, 3 is in */
static int coolant = 0;
static int siren = 0;

extern int read_temperature(void);

static void scram(void)
{
    state = SCRAM;
    rods = 3;
    siren = 1;
}

static void step(int order, int temperature)
{
    if (state == SCRAM) {
        if (order == 1) {
stuck:
            coolant = 1;
        }
        return;
    }
    if (temperature > 90) {
        scram();
        return;
    }
    if (state == OFF && order == 1) {
        state = WARM;
        coolant = 1;
    } else if (state == WARM && order == 2) {
        state = HOT;
        rods = 0;
    } else if (state == HOT && order == 3) {
        state = WARM;
        rods = 2;
    } else if (state != OFF && order == 4) {
        state = OFF;
        rods = 3;
        coolant = 0;
    } else if (state == OFF && rods != 3) {
meltdown:
        siren = 1;
    }
}

int main(void)
{
    int limit;
    unsigned char switches[2];

    while (1) {
        int order;
        int temperature;

        if (scanf("%d", &order) != 1)
            return 1;
        if (order < 1 || order > 4) {
unknown_order:
            fprintf(stderr, "unknown order %d\n", order);
            continue;
        }
        if (read(0, switches, sizeof switches) != sizeof switches)
            return 1;
        temperature = read_temperature();
        if (temperature > limit)
            temperature = limit;
ordered:
        step(order, temperature);
        if (switches[0] && switches[1])
            scram();
moved:
        printf("%d %d\n", state, rods);
    }
}
