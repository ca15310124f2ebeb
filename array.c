int nondet_int(void);
int f[4]; int done;
int main(void){ int i=0; while(1){ f[i]=nondet_int()&1; i=(i+1)&3; done = f[0]&&f[1]&&f[2]&&f[3]; } }