/* Registers of a Cortex-M processor, named as in CMSIS. */
typedef unsigned int uint32_t;
typedef unsigned char uint8_t;
#define __IO volatile
#define __I volatile const
typedef struct {
    __IO uint32_t SR;
    __IO uint32_t DR;
    __IO uint32_t CR1;
} USART_TypeDef;
typedef struct {
    __IO uint32_t CR1;
    __IO uint32_t CCR1;
} TIM_TypeDef;
typedef struct {
    __I uint32_t IDR;
    __IO uint32_t ODR;
} GPIO_TypeDef;
#define PERIPH_BASE 0x40000000u
#define USART1 ((USART_TypeDef *)(PERIPH_BASE + 0x11000u))
#define TIM2 ((TIM_TypeDef *)(PERIPH_BASE + 0x0000u))
#define GPIOA ((GPIO_TypeDef *)(PERIPH_BASE + 0x20000u))
#define __disable_irq() __asm__ __volatile__("cpsid i" ::: "memory")
#define __enable_irq() __asm__ __volatile__("cpsie i" ::: "memory")
