int nondet_int(void);
int n,b;
int main(void){ while(1){ n++; if(n==1000) b=1; } }