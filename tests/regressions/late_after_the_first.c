/* The first request is answered in time, the second never is. */
int request, answer;

int main(void) {
    request = 1;
    answer = 1;
    request = 0;
    answer = 0;
    request = 1;
    request = 0;
    answer = 0;
    answer = 0;
    return 0;
}
