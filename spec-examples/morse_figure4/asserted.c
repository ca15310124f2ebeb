/* Figure 4, left half: i + j == count holds where the paper asserts it, not in between. With areas there
 * is no need for flags or for global variables: [b_sum, e_sum] is the place of the assertion, [b_loop,
 * e_loop] the whole loop, [b_done, e_done] the end of the program. */
#define COUNT 6

int sum_is(int i, int j) { return i + j == COUNT; }

int is_six(int j) { return j == 6; }

int yes(void) { return 1; }

int main(void)
{
    int i = COUNT;
    int j = 0;

b_loop:
    while (i) {
        i--;
        j++;
    b_sum: ; /* assert(i + j == count) stands here in the paper */
    e_sum: ;
    }
e_loop: ;

b_done: ;
    int status = 0;
e_done:
    return status;
}
