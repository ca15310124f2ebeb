/* Bytes go out through a ring of 16; two indices and a free count. */
#include <stdint.h>
#define LEN 16
extern uint8_t rx(void);
extern int rx_ready(void);
extern int tx_ready(void);
extern void tx(uint8_t b);
uint8_t ring[LEN];
uint8_t rd, wr;
uint8_t space = LEN;
int overrun;
int main(void) {
    for (;;) {
        if (rx_ready()) {
            uint8_t b = rx();
#ifdef BROKEN
            if (space >= 0) {
#else
            if (space > 0) {
#endif
                ring[wr] = b;
                wr = (wr + 1) & (LEN - 1);
                space--;
            } else overrun = 1;
        }
        if (tx_ready() && space < LEN) {
            tx(ring[rd]);
            rd = (rd + 1) & (LEN - 1);
            space++;
        }
    }
}
