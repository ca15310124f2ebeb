/* Compresses a file at several levels and back. */
#include <stdio.h>
#include <string.h>
#include "zstd.h"

unsigned long total;
int level;

static char input[1 << 16], packed[1 << 17], back[1 << 16];

int main(int argc, char **argv) {
    FILE *file = fopen(argc > 1 ? argv[1] : "", "rb");
    size_t size;
    if (!file) return 2;
    size = fread(input, 1, sizeof input, file);
    fclose(file);
    for (level = 1; level < 20; level += 3) {
        size_t n = ZSTD_compress(packed, sizeof packed, input, size, level), m;
        if (ZSTD_isError(n)) return 3;
        m = ZSTD_decompress(back, sizeof back, packed, n);
        if (m != size || memcmp(back, input, size)) return 4;
        total += n;
        printf("%d: %lu\n", level, (unsigned long)n);
    }
    printf("%lu\n", total);
    return 0;
}
