/* An event-condition-action system in the style of the RERS challenge: a machine that is asked for something (input A), paid (B),
 * and gives it or the money back (C). */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

	int a1 = 0;
	int a2 = 0;

int calculate_output(int input) {
	if(((a1 == 2) && (a2 == 0))){
	globalError: assert(0);
	}
	if((a1 == 9)){
	error_7: assert(0);
	}
	if(((a1 == 0) && (input == 1))){
		a1 = 1;
		return 21;
	} else if(((a1 == 1) && (input == 2))){
		a1 = 2;
		a2 = 1;
		return 22;
	} else if(((a1 == 2) && (a2 == 1) && (input == 3))){
		a1 = 0;
		a2 = 0;
		return 23;
	} else if(((a1 == 1) && (input == 3))){
		a1 = 0;
		return 24;
	} else if(((a1 == 0) && (input == 2))){
		a1 = 9;
		return 25;
	}
	return -2;
}

int main()
{
    // default output
    int output = -1;

    // main i/o-loop
    while(1)
    {
        // read input
        int input;
        scanf("%d", &input);

        // operate eca engine
got_input: output = calculate_output(input);

got_output: if(output == -2)
            fprintf(stderr, "Invalid input: %d\n", input);
        else if(output != -1)
            printf("%d\n", output);
    }
}
