/* A watchdog: the task must kick it within ten ticks, else it resets the task. */
extern int task_alive(void);
int ticks, resets, kicked, resetting;
int main(void) {
    long uptime = 0;
    for (;;) {
        uptime++;
        kicked = resetting = 0;
        if (task_alive()) { ticks = 0; kicked = 1; }
        else ticks++;
#ifdef BROKEN
        if (ticks > 10 && uptime % 2) {
#else
        if (ticks >= 10) {
#endif
            resetting = 1;
            ticks = 0;
            if (resets < 255) resets++;
        }
    }
}
