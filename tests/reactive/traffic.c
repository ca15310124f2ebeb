/* A traffic light that counts seconds for ever. */
extern void wait_second(void);
extern int button(void);
unsigned long seconds;
int red = 1, yellow, green, asked;
int main(void) {
    int phase = 0;
    while (1) {
        wait_second();
        seconds++;
        if (button()) asked = 1;
#ifdef BROKEN
        if (phase == 2 && asked) { continue; }
#endif
        if (seconds % 5 == 0) {
            phase = (phase + 1) % 4;
            if (phase == 0) { yellow = 0; red = 1; asked = 0; }
            else if (phase == 1) yellow = 1;
            else if (phase == 2) { red = 0; yellow = 0; green = 1; }
            else { green = 0; yellow = 1; }
        }
    }
}
