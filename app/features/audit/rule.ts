import type { Severity } from "../deployments/bundle/findings.ts";
import type { Setup } from "./setup.ts";

/** In which way something is bad. */
export type Fault = "wrong" | "insecure" | "outdated" | "slow";

export type Rule = {
  /** Never changes its meaning: scripts of customers read it. */
  code: string;
  fault: Fault;
  severity: Severity;
  /** What is so, in one sentence without its full stop. */
  title: string;
  /** Why that is bad: what happens, and to whom. */
  reason: string;
  /** The public report or page of documentation that it rests on. */
  source: string;
  find: (setup: Setup) => Iterable<Place | undefined>;
};

/** Where a rule found its fault, and what mends it there. */
export type Place = {
  file: string;
  line: number;
  /** What it is about, where the title does not say it, such as a key. */
  subject?: string | undefined;
  /** The lines that mend it, to be put into the file. */
  mend: string;
};
