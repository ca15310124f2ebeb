/* The protocol with the alternating bit; with -DLOSES the channel may lose a message. */
#include <pthread.h>
int __VERIFIER_nondet_int(void);
_Bool data_full, data_bit, ack_full, ack_bit;
_Bool delivered;
void *sender(void *argument)
{
    _Bool bit = 0;
    while (1) {
        if (!data_full) {
            data_bit = bit;
            data_full = 1;
        }
        if (ack_full) {
            if (ack_bit == bit)
                bit = !bit;
            ack_full = 0;
        }
    }
    return argument;
}
void *receiver(void *argument)
{
    _Bool expects = 0;
    while (1) {
        if (data_full) {
#ifdef LOSES
            if (__VERIFIER_nondet_int()) {
                data_full = 0;
                continue;
            }
#endif
            if (data_bit == expects) {
                delivered = 1;
                delivered = 0;
                expects = !expects;
            }
            if (!ack_full) {
                ack_bit = data_bit;
                ack_full = 1;
            }
            data_full = 0;
        }
    }
    return argument;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, sender, 0);
    pthread_create(&b, 0, receiver, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
