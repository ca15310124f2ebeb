int nondet_int(void);
int a,b;
int main(void){ for(;;){ for(int i=0;i<2;i++){ a=!a; if(nondet_int()) b=0; } b = nondet_int()&1; } }