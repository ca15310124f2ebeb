#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
int x, failed;
static void die(int code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    (void)vfprintf(stderr, fmt, ap);
    va_end(ap);
    va_start(ap, fmt);
    char line[20];
    vsnprintf(line, sizeof line, fmt, ap);
    fputs(line, stderr);
    va_end(ap);
    failed = code;
    exit(code);
}
static int next(void) { return ++x; }
static void *run(void *p) { if (x > 2) die(3, "x is %d %d\n", x, next()); x++; return p; }
int main(void)
{
    pthread_t a, b;
    x = 2;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
