/* Compresses a file with all block sizes and back, and reads a damaged one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "bzlib.h"

unsigned total;
int failures;

static char input[1 << 16], packed[1 << 17], back[1 << 16];

#ifdef BZ_NO_STDIO
void bz_internal_error(int code) { exit(code); }
#endif

int main(int argc, char **argv) {
    FILE *file = fopen(argc > 1 ? argv[1] : "", "rb");
    unsigned size;
    int blocks;
    if (!file) return 2;
    size = (unsigned)fread(input, 1, sizeof input, file);
    fclose(file);
    for (blocks = 1; blocks <= 9; blocks++) {
        unsigned n = sizeof packed, m = sizeof back;
        if (BZ2_bzBuffToBuffCompress(packed, &n, input, size, blocks, 0, blocks * 10) != BZ_OK) return 3;
        if (BZ2_bzBuffToBuffDecompress(back, &m, packed, n, blocks % 2, 0) != BZ_OK) return 4;
        if (m != size || memcmp(back, input, size)) return 5;
        total += n;
        packed[n / 2] ^= 1;
        m = sizeof back;
        if (BZ2_bzBuffToBuffDecompress(back, &m, packed, n, 0, 0) != BZ_OK) failures++;
        printf("%d: %u\n", blocks, n);
    }
    printf("%u %d\n", total, failures);
    return 0;
}
