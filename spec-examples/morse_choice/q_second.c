/* Section 3.3, Q'': p stays, q may come. The run without q could still be continued to a good one. */
int nondet_int(void);

int p = 0;
int q = 0;

int main(void)
{
    p = 1;
    if (nondet_int()) {
        q = 1;
    }
    return 0;
}
