/* Permits for a pool of connections; requests wait in a ring of tickets. */
extern int asks(void);
extern int gives_back(void);
#define POOL 3
unsigned int next_ticket, serving;
int in_use;
int granted;
int main(void) {
    while (1) {
        granted = 0;
        if (asks() && next_ticket - serving < 10) next_ticket++;
        if (gives_back() && in_use > 0) in_use--;
#ifdef BROKEN
        if (serving != next_ticket) {
#else
        if (serving != next_ticket && in_use < POOL) {
#endif
            serving++;
            in_use++;
            granted = 1;
        }
    }
}
