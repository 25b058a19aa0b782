import type { BadgeVariant } from "~/ui/primitives/badge";
import type { Rung } from "./check.ts";

/** One step of a check, in words. */
export type RungLine = {
  rung: Rung;
  title: string;
  badge: { words: string; variant: BadgeVariant };
  sentence: string;
  /** What to do, where it failed, and where the documentation is about it. */
  next: string | undefined;
  help: string | undefined;
};
