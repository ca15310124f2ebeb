#include <stdlib.h>
int b,c;
int main(void){ int *p=malloc(4); while(1){ 
head: *p=1; b=1-b; } }