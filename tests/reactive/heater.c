/* A PID controller with anti-windup that drives a heater. */
#include <stdio.h>
extern float read_temperature(void);
static float integral, previous;
float output;
int heater_on, fault;
static float clamp(float v, float lo, float hi) { return v < lo ? lo : v > hi ? hi : v; }
static float pid(float setpoint, float measured)
{
    float error = setpoint - measured;
    integral = clamp(integral + error * 0.1f, -50.0f, 50.0f);
    float derivative = error - previous;
    previous = error;
#ifdef BROKEN
    return 2.0f * error + integral + 0.5f * derivative;
#endif
    return clamp(2.0f * error + integral + 0.5f * derivative, 0.0f, 100.0f);
}
int main(void)
{
    for (;;) {
        float t = read_temperature();
        if (!(t >= -40.0f && t <= 150.0f)) { fault = 1; output = 0.0f; heater_on = 0; continue; }
        fault = 0;
        output = pid(60.0f, t);
        heater_on = output > 0.0f;
    }
}
