/* Section 3.3, Q': q holds from the start, so that the until is fulfilled at the first event. */
int nondet_int(void);

int p = 0;
int q = 1;

int main(void)
{
    p = 1;
    if (nondet_int()) {
        p = 0;
    }
    if (nondet_int()) {
        q = 1;
    }
    return 0;
}
