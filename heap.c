#include <stdlib.h>
int b;
int main(void){ int *p=malloc(4); while(1){ *p=1; b=*p; } }