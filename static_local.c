int nondet_int(void);
int a;
void step(void){ static int s=0; s=(s+1)&1; a=s; }
int main(void){ while(1) step(); }