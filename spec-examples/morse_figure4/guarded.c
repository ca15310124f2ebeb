/* Figure 4, right half: the flag `looking` hides the moments in which the sum is being changed. The flag
 * `done` of section 5.1 marks the end of the program. */
const int count = 6;
int i = 6;
int j = 0;
int looking = 1; /* visibility to the monitor */
int done = 0;

int main(void)
{
    while (i) {
        looking = 0;
        i--;
        j++;
        looking = 1;
    }
    done = 1;
    return 0;
}
