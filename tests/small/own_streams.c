/* The program has a type of the library's name, and declares the library's function with it. */
typedef struct { int x; } FILE;
extern void fputs(const char *, FILE *);
int depth;
static void indent(FILE *out)
{
    while (depth > 0) {
        fputs("  ", out);
        depth--;
    }
}
int main(void)
{
    static FILE out;
    depth = 2;
    indent(&out);
    return out.x;
}
