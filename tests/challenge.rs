//! Requirements of the ten challenge problems of Lockheed Martin: their formulas here and those that FRET publishes for infinite
//! traces (`ftInfAUExpanded` of its export) are equivalent.
#![allow(clippy::unwrap_used)]

use crate::support::Dir;

/// Each requirement: its id, the sentence, and the formula that FRET publishes for it.
const PUBLISHED: [(&str, &str, &str); 33] = [
    ("TUI-001", "Tustin_Integrator shall always satisfy (BL <= IC & IC <= TL & RESET)  => yout = IC",
     "(G ((((BL <= IC) & (IC <= TL)) & RESET) -> (yout = IC)))"),
    ("TUI-002", "Tustin_Integrator shall always satisfy yout <= TL &  yout >= BL", "(G ((yout <= TL) & (yout >= BL)))"),
    ("TUI-003v2", "Tustin_Integrator shall always satisfy normalv2 => yout = timeStep * 0.5 * ( xin + xinpv ) + ypv",
     "(G (normalv2 -> (yout = (((timeStep * 0.5) * (xin + xinpv)) + ypv))))"),
    ("TUI-003v3", "Tustin_Integrator shall always satisfy normalv3 => yout = timeStep * 0.5 * ( xin + xinpv ) + ypv",
     "(G (normalv3 -> (yout = (((timeStep * 0.5) * (xin + xinpv)) + ypv))))"),
    ("FSM-003", "FSM_Autopilot shall always satisfy (state = ap_transition_state & good & supported) => STATE = ap_nominal_state",
     "(G ((((state = ap_transition_state) & good) & supported) -> (STATE = ap_nominal_state)))"),
    ("FSM-003v2", "FSM_Autopilot shall always satisfy (state = ap_transition_state & good & supported & !standby) => STATE = ap_nominal_state",
     "(G (((((state = ap_transition_state) & good) & supported) & (! standby)) -> (STATE = ap_nominal_state)))"),
    ("FSM-005", "FSM_Autopilot shall always satisfy (state=ap_nominal_state & standby)  => STATE = ap_standby_state",
     "(G (((state = ap_nominal_state) & standby) -> (STATE = ap_standby_state)))"),
    ("FSM-008v1", " FSM_Autopilot shall always satisfy (state = ap_standby_state & !standby) => STATE = ap_transition_state",
     "(G (((state = ap_standby_state) & (! standby)) -> (STATE = ap_transition_state)))"),
    ("FSM-011v1", "FSM_Sensor shall always  satisfy (senstate = sen_nominal_state & !request) => SENSTATE = sen_transition_state",
     "(G (((senstate = sen_nominal_state) & (! request)) -> (SENSTATE = sen_transition_state)))"),
    ("FSM-012_weak", "FSM_Sensor shall always satisfy (senstate = sen_fault_state & (!request | !limits)) => SENSTATE = sen_transition_state",
     "(G (((senstate = sen_fault_state) & ((! request) | (! limits))) -> (SENSTATE = sen_transition_state)))"),
    ("EUL-001A", "Euler shall always satisfy DCM321_11 = cos(theta) * cos(psi)", "(G (DCM321_11 = (cos(theta) * cos(psi))))"),
    ("EUL-001I", "Euler shall always satisfy DCM321_33 = cos(phi) * cos(theta)", "(G (DCM321_33 = (cos(phi) * cos(theta))))"),
    ("EUL-003", "Euler shall always satisfy Vb_1 * Vb_1 + Vb_2 * Vb_2 + Vb_3 * Vb_3 = Vi_1 * Vi_1 + Vi_2 * Vi_2 + Vi_3 * Vi_3",
     "(G ((((Vb_1 * Vb_1) + (Vb_2 * Vb_2)) + (Vb_3 * Vb_3)) = (((Vi_1 * Vi_1) + (Vi_2 * Vi_2)) + (Vi_3 * Vi_3))))"),
    ("EUL-004", "Euler shall always satisfy absReal(theta) != pi/2.0 => det_3x3(DCM321_11, DCM321_21, DCM321_31, DCM321_12, DCM321_22, DCM321_32, DCM321_23, DCM321_33)",
     "(G ((absReal(theta) != (pi / 2.0)) -> det_3x3(DCM321_11,DCM321_21,DCM321_31,DCM321_12,DCM321_22,DCM321_32,DCM321_23,DCM321_33)))"),
    ("EUL-006A", "Euler shall always satisfy r1xr1Transpose = 1.0 & r2xr2Transpose = 1.0 & r3xr3Transpose = 1.0",
     "(G (((r1xr1Transpose = 1.0) & (r2xr2Transpose = 1.0)) & (r3xr3Transpose = 1.0)))"),
    ("EUL-006C", "Euler shall always satisfy c1xc1Transpose = 1.0 & c2xc2Transpose = 1.0 & c3xc3Transpose = 1.0",
     "(G (((c1xc1Transpose = 1.0) & (c2xc2Transpose = 1.0)) & (c3xc3Transpose = 1.0)))"),
    ("EUL-006D", "Euler shall always satisfy c1xc2Transpose = 0.0 & c1xc3Transpose = 0.0 & c2xc3Transpose = 0.0",
     "(G (((c1xc2Transpose = 0.0) & (c1xc3Transpose = 0.0)) & (c2xc3Transpose = 0.0)))"),
    ("EUL-007", "Euler shall always satisfy DCMxDCMTranspose_11 = 1.0 & DCMxDCMTranspose_12 = 0.0 & DCMxDCMTranspose_13 = 0.0 & DCMxDCMTranspose_21 = 0.0 & DCMxDCMTranspose_22 = 1.0 & DCMxDCMTranspose_23 = 0.0 & DCMxDCMTranspose_31 = 0.0 & DCMxDCMTranspose_32 = 0.0 & DCMxDCMTranspose_33 = 1.0",
     "(G (((((((((DCMxDCMTranspose_11 = 1.0) & (DCMxDCMTranspose_12 = 0.0)) & (DCMxDCMTranspose_13 = 0.0)) & (DCMxDCMTranspose_21 = 0.0)) & (DCMxDCMTranspose_22 = 1.0)) & (DCMxDCMTranspose_23 = 0.0)) & (DCMxDCMTranspose_31 = 0.0)) & (DCMxDCMTranspose_32 = 0.0)) & (DCMxDCMTranspose_33 = 1.0)))"),
    ("EUL-008", "Euler shall always satisfy det_3x3(DCM321_11, DCM321_21, DCM321_31, DCM321_12, DCM321_22, DCM321_32, DCM321_13, DCM321_23, DCM321_33)",
     "(G det_3x3(DCM321_11,DCM321_21,DCM321_31,DCM321_12,DCM321_22,DCM321_32,DCM321_13,DCM321_23,DCM321_33))"),
    ("AP-002", "in roll_hold mode RollAutopilot shall always satisfy roll_cmd = roll_hold_reference",
     "(G (roll_hold -> (roll_cmd = roll_hold_reference)))"),
    ("AP-003A", "in roll_hold mode RollAutopilot shall immediately satisfy !(Cb | Cc1 | Cc2 | Cd)  => roll_hold_reference = roll_angle",
     "((G ((! ((! roll_hold) & (X roll_hold))) | (X ((! (((Cb | Cc1) | Cc2) | Cd)) -> (roll_hold_reference = roll_angle))))) & (roll_hold -> ((! (((Cb | Cc1) | Cc2) | Cd)) -> (roll_hold_reference = roll_angle))))"),
    ("AP-003D", "RollAutopilot shall always satisfy (TurnKnob >= 3.0 | TurnKnob <= -3.0) & (TurnKnob <= 30.0 | TurnKnob >= -30.0) => roll_hold_reference = TurnKnob",
     "(G ((((TurnKnob >= 3.0) | (TurnKnob <= -3.0)) & ((TurnKnob <= 30.0) | (TurnKnob >= -30.0))) -> (roll_hold_reference = TurnKnob)))"),
    ("NLG-001", "NLGuidance shall always satisfy Vv * yout > 0", "(G ((Vv * yout) > 0))"),
    ("SWIM-002", "SWIM shall always satisfy ((lowSpeedWarningAllowed = 1.0  & vehAirPress < warningTrigForMinPress) => swimGet_AgcasLowSpeedWarn = E_SWIM_WARNING_ON)",
     "(G (((lowSpeedWarningAllowed = 1.0) & (vehAirPress < warningTrigForMinPress)) -> (swimGet_AgcasLowSpeedWarn = E_SWIM_WARNING_ON)))"),
    ("EB-004", "EB shall always satisfy (Buminusd_1 * Buminusd_1 + Buminusd_2 * Buminusd_2 + Buminusd_3 * Buminusd_3) < 0.0001",
     "(G ((((Buminusd_1 * Buminusd_1) + (Buminusd_2 * Buminusd_2)) + (Buminusd_3 * Buminusd_3)) < 0.0001))"),
    ("NN-003B", "NN shall for 200 secs satisfy DeltaZDividedByYt <= 10.0 & DeltaZDividedByYt >= -35.0",
     "((G[0,200] ((DeltaZDividedByYt <= 10.0) & (DeltaZDividedByYt >= -35.0))) | (G ((DeltaZDividedByYt <= 10.0) & (DeltaZDividedByYt >= -35.0))))"),
    // Their export is older than formulas for infinite traces: those of finite ones, with `LAST` as no letter.
    ("NLG-002&3", "NLGuidance shall always satisfy mag(yout - Xtarg) >= r & dot((yout - Xtarg),(yout - Xv)) = 0",
     "(LAST V (mag ( yout - Xtarg ) >= r & dot ( ( yout - Xtarg ) , ( yout - Xv ) ) = 0))"),
    ("AP-003d", "RollAutopilot shall always satisfy (TurnKnob >= 3.0 | TurnKnob <= -3.0) & (TurnKnob <= 30.0 | TurnKnob >= -30.0) => roll_hold_reference = TurnKnob",
     "(LAST V (( TurnKnob >= 3.0 | TurnKnob <= -3.0 ) & ( TurnKnob <= 30.0 | TurnKnob >= -30.0 ) -> roll_hold_reference = TurnKnob))"),
    ("NN-004", "NN shall for 200 secs satisfy ( x = xt & y = yt  => AbsoluteErrorZtMinusZ <= 0.01)",
     "((G[<=200] (( x = xt & y = yt -> AbsoluteErrorZtMinusZ <= 0.01 ))) | (LAST V (( x = xt & y = yt -> AbsoluteErrorZtMinusZ <= 0.01 ))))"),
    ("FSM-002", "FSM_Autopilot shall always satisfy (standby & state = ap_transition_state) => STATE = ap_standby_state",
     "(LAST V (( standby & state = ap_transition_state ) -> STATE = ap_standby_state))"),
    ("EUL-001C", "Euler shall always satisfy DCM321_13 = - SinTheta", "(LAST V (DCM321_13 = - SinTheta))"),
    ("TSM-004", "TriplexSignalMonitor shall always satisfy (single_fail_reported & failure_in_progress => set_val = pre_set_val)",
     "(LAST V (( single_fail_reported & failure_in_progress -> set_val = pre_set_val )))"),
    ("AP-002B", "in roll_hold mode RollAutopilot shall always satisfy roll_cmd = roll_hold_mode_cmd",
     "((LAST V ((! ((((! roll_hold) & (! LAST)) & (X roll_hold)) & (! LAST))) | (X ((((roll_hold & (! LAST)) & (X (! roll_hold))) | LAST) V (roll_cmd = roll_hold_mode_cmd))))) & (roll_hold -> ((((roll_hold & (! LAST)) & (X (! roll_hold))) | LAST) V (roll_cmd = roll_hold_mode_cmd))))"),
];

/// What two texts of one condition have in common: those of FRET have all parentheses, and `=` for `==`.
///
/// Reads a published formula: its comparisons become conditions as the sentence's are.
struct Published<'a> {
    tokens: Vec<&'a str>,
    at: usize,
}

impl<'a> Published<'a> {
    fn of(text: &'a str) -> Published<'a> {
        let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
        while !rest.is_empty() {
            let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
            let length = match word.unwrap_or(rest.len()) {
                0 if ["->", "<=", ">=", "!="]
                    .iter()
                    .any(|sign| rest.starts_with(sign)) =>
                {
                    2
                }
                0 => 1,
                length => length,
            };
            tokens.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
        Published { tokens, at: 0 }
    }

    fn next(&self) -> &'a str {
        self.tokens.get(self.at).copied().unwrap_or("")
    }

    fn take(&mut self) -> &'a str {
        let token = self.next();
        self.at += 1;
        token
    }

    /// How tightly an operator of two operands binds, and how it is written here.
    fn binary(token: &str) -> Option<(u32, &str)> {
        Some(match token {
            "->" => (1, "->"),
            "|" => (2, "||"),
            "&" => (3, "&&"),
            "V" => (4, "R"),
            "=" => (6, "=="),
            "<" | ">" | "<=" | ">=" | "!=" => (6, token),
            "+" | "-" => (7, token),
            "*" | "/" => (8, token),
            _ => return None,
        })
    }

    /// The text of what comes, and whether it is a value rather than a formula.
    fn expression(&mut self, least: u32) -> (String, bool) {
        let (mut left, mut is_value) = self.operand();
        while let Some((binds, sign)) = Published::binary(self.next()) {
            if binds < least {
                break;
            }
            self.take();
            // All of them group to the left, as FRET's parentheses show.
            let right = self.expression(binds + 1);
            left = match binds {
                6 => format!("{{{left} {sign} {}}}", right.0),
                7.. => format!("({left} {sign} {})", right.0),
                _ => format!("({} {sign} {})", truth((left, is_value)), truth(right)),
            };
            is_value = binds > 6;
        }
        (left, is_value)
    }

    fn operand(&mut self) -> (String, bool) {
        match self.take() {
            "(" => {
                let inner = self.expression(0);
                assert_eq!(self.take(), ")");
                inner
            }
            "!" => (format!("!({})", truth(self.expression(5))), false),
            "-" => (format!("-{}", self.operand().0), true),
            "LAST" => ("false".into(), false),
            sign @ ("G" | "X") => {
                let mut bound = String::new();
                if self.next() == "[" {
                    while !bound.ends_with(']') {
                        bound.push_str(self.take());
                    }
                }
                (
                    format!("{sign}{bound}({})", truth(self.expression(5))),
                    false,
                )
            }
            name if self.next() == "(" => {
                self.take();
                let mut arguments = Vec::new();
                while self.next() != ")" {
                    arguments.push(self.expression(0).0);
                    if self.next() == "," {
                        self.take();
                    }
                }
                self.take();
                (format!("{name}({})", arguments.join(", ")), true)
            }
            name => (name.to_owned(), true),
        }
    }
}

/// A call where a formula stands is a proposition with its text as the name.
fn truth((text, is_value): (String, bool)) -> String {
    match is_value && text.contains('(') {
        true => format!("\"{text}\""),
        false => text,
    }
}

/// A formula with the conditions without white space and parentheses around products, which both sides may write.
fn plain(formula: &str) -> String {
    let mut out = String::new();
    let mut rest = formula;
    while let Some(start) = rest.find('{') {
        let end = start + rest[start..].find('}').unwrap();
        out.push_str(&rest[..start]);
        let inside = Published::of(&rest[start + 1..end].replace("==", "="))
            .expression(0)
            .0;
        out.push_str(&inside);
        rest = &rest[end + 1..];
    }
    out + rest
}

#[test]
#[ignore = "takes long: scripts/test --thorough"]
fn formulas_are_those_that_fret_publishes() {
    let sentences: Vec<String> = PUBLISHED
        .iter()
        .map(|(id, text, _)| format!("{id}: {}", text.trim()))
        .collect();
    let dir = Dir::with(&[("lm.txt", &sentences.join("\n"))]);
    let ran = dir.run(&[
        "requirements",
        "lm.txt",
        "--tick",
        "1 s",
        "--format",
        "json",
    ]);
    let told: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let told = told["requirements"].as_array().unwrap();
    assert_eq!(told.len(), PUBLISHED.len());
    for ((id, _, published), told) in PUBLISHED.iter().zip(told) {
        assert_eq!(told["id"], *id);
        let own = plain(told["ltl"].as_str().unwrap());
        let theirs = Published::of(published).expression(0).0;
        let ran = dir.run(&["explain", &own, &theirs]);
        assert!(
            ran.stdout.contains("equivalent"),
            "{id}: {own}\n{theirs}\n{ran:?}"
        );
    }
    // A comparison that could not fail would show nothing.
    let (first, second) = (&PUBLISHED[4], &PUBLISHED[5]);
    let [first, second] = [first, second].map(|row| Published::of(row.2).expression(0).0);
    let ran = dir.run(&["explain", &first, &second]);
    assert!(!ran.stdout.contains("equivalent"), "{ran:?}");
}
