int nondet_int(void);
int n,b;
int main(void){ while(1){ n=(n+1)&3; if(n==5) b=1; } }