/* A heater keeps a temperature between two marks. */
int temperature, heating;
int main(void) {
  temperature = 15;
  heating = 0;
  while (1) {
    if (temperature <= 18) heating = 1;
#ifndef BROKEN
    if (temperature >= 22) heating = 0;
#endif
    if (heating) { if (temperature < 30) temperature++; }
    else temperature--;
  }
}
