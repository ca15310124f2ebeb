/* A vending machine whose stock in an array is sold: what is sold is what the stock has lost. */
#include <stdio.h>
static int credit, stock[3] = { 5, 5, 5 }, sold;
static const int price[3] = { 50, 100, 150 };

int main(void)
{
    char command;
    int arg;
    while (scanf(" %c %d", &command, &arg) == 2) {
        switch (command) {
        case 'c':
            if ((arg == 10 || arg == 20 || arg == 50 || arg == 100) && credit + arg <= 500)
                credit += arg;
            break;
        case 's':
            if (arg < 0 || arg > 2)
                break;
#ifdef BROKEN
            if (credit >= price[arg]) {
#else
            if (stock[arg] > 0 && credit >= price[arg]) {
#endif
                stock[arg]--;
                sold++;
                credit -= price[arg];
            }
            break;
        case 'r':
            credit = 0;
            break;
        }
    }
    return 0;
}
