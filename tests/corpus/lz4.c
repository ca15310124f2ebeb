/* Compresses a file, fast and well, and back; and as a frame. */
#include <stdio.h>
#include <string.h>
#include "lz4.h"
#include "lz4hc.h"
#include "lz4frame.h"

unsigned long total;
int failures;

static char input[1 << 16], packed[1 << 17], back[1 << 16];

static int check(int size, int n) {
    total += (unsigned long)n;
    if (LZ4_decompress_safe(packed, back, n, sizeof back) != size || memcmp(back, input, (size_t)size)) failures++;
    return n;
}

int main(int argc, char **argv) {
    FILE *file = fopen(argc > 1 ? argv[1] : "", "rb");
    int size, level;
    if (!file) return 2;
    size = (int)fread(input, 1, sizeof input, file);
    fclose(file);
    for (level = 1; level < 12; level += 2) {
        int fast = check(size, LZ4_compress_fast(input, packed, size, sizeof packed, level));
        int well = check(size, LZ4_compress_HC(input, packed, size, sizeof packed, level));
        printf("%d: %d %d\n", level, fast, well);
    }
    printf("%lu\n", (unsigned long)LZ4F_compressFrame(packed, sizeof packed, input, (size_t)size, 0));
    printf("%lu %d\n", total, failures);
    return failures;
}
