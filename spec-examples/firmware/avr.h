/* Registers of an 8-bit processor, named as in avr-libc. */
typedef unsigned char uint8_t;
typedef unsigned int uint16_t;
#define _SFR_MEM8(address) (*(volatile uint8_t *)(address))
#define SREG _SFR_MEM8(0x5F)
#define UCSR0A _SFR_MEM8(0xC0)
#define UCSR0B _SFR_MEM8(0xC1)
#define UDR0 _SFR_MEM8(0xC6)
#define ADCL _SFR_MEM8(0x78)
#define ADCH _SFR_MEM8(0x79)
#define RXC0 7
#define UDRE0 5
#define sei() __asm__ __volatile__("sei" ::: "memory")
#define cli() __asm__ __volatile__("cli" ::: "memory")
#define ISR(vector) void vector(void) __attribute__((signal, used)); void vector(void)
