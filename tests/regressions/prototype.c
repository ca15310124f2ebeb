/* The prototypes' parameter has the name of a global. */
int is_three(int level);
void set(int level);
int level;

int is_three(int v) { return v == 3; }
void set(int v) { level = v; }

int main(void)
{
    set(3);
    return 0;
}
