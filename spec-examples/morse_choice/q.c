/* Section 3.3, Q: four runs, of which those that take p back before they set q can no longer be saved. */
int nondet_int(void);

int p = 0;
int q = 0;

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
