/* Compresses a file at all levels and back, with a stream of small buffers and in one go. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "zlib.h"

unsigned long total;
int rounds;

static unsigned char input[1 << 16], packed[1 << 17], back[1 << 16];

static unsigned long stream(unsigned long size, int level) {
    z_stream z;
    unsigned long done = 0;
    memset(&z, 0, sizeof z);
    if (deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, rounds % 4) != Z_OK) exit(3);
    z.next_in = input;
    z.avail_in = (uInt)size;
    do {
        z.next_out = packed + done;
        z.avail_out = 777;
        if (deflate(&z, Z_FINISH) == Z_STREAM_ERROR) exit(4);
        done += 777 - z.avail_out;
    } while (z.avail_out == 0);
    deflateEnd(&z);
    return done;
}

int main(int argc, char **argv) {
    FILE *file = fopen(argc > 1 ? argv[1] : "", "rb");
    unsigned long size, packed_size, back_size;
    int level;
    if (!file) return 2;
    size = fread(input, 1, sizeof input, file);
    fclose(file);
    for (level = 0; level <= 9; level++) {
        packed_size = sizeof packed;
        back_size = sizeof back;
        if (compress2(packed, &packed_size, input, size, level) != Z_OK) return 5;
        if (uncompress(back, &back_size, packed, packed_size) != Z_OK) return 6;
        if (back_size != size || memcmp(back, input, size)) return 7;
        total += packed_size;
        rounds++;
        printf("%d: %lu %lu %08lx\n", level, packed_size, stream(size, level), crc32(0, packed, 1000));
    }
    printf("%lu %08lx\n", total, adler32(1, input, (uInt)size));
    return 0;
}
