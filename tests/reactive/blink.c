/* Two lamps blink with different periods while a switch is on. */
#include <stdint.h>
extern uint32_t millis(void);
extern int switch_on(void);
int red, green;
static uint32_t red_since, green_since;
int main(void) {
    for (;;) {
        uint32_t now = millis();
        if (!switch_on()) { red = green = 0; continue; }
        if (now - red_since >= 500) { red = !red; red_since = now; }
#ifdef BROKEN
        if (now - green_since >= 300) { green = green + 1; green_since = now; }
#else
        if (now - green_since >= 300) { green = !green; green_since = now; }
#endif
    }
}
