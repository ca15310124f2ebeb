int nondet_int(void);
int a;
void wait(void){ while(nondet_int()) { } a=1; }
int main(void){ while(1){ a=0; wait(); } }