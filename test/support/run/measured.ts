import { appendFileSync } from "node:fs";

/** The file to which a recorded run's tests write what they measure; set by `record-run.ts`. */
export const measurementsVariable = "RUN_MEASUREMENTS";

/** Writes down what was measured, where the run is recorded. Names end in their unit, as `first-boot-s`. */
export function measured(name: string, value: number): void {
  const file = process.env[measurementsVariable];
  if (file) appendFileSync(file, `${JSON.stringify([name, value])}\n`);
}
