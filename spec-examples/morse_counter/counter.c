/* Section 5.3: a counter that never stops. */
unsigned int i = 0;

int main(void)
{
    while (1)
        i++;
}
