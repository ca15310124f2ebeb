int nondet_int(void);
int b,c;
int main(void){ while(1){ b=1; b=1; b=0; } }