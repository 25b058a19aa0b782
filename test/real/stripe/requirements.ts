import { accessSync, constants, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";

export interface StripeRequirements {
  /** The program stripe-mock. */
  program: string;
  /** Stripe's description that belongs to it, or the one that STRIPE_DESCRIPTION names. */
  description: string;
  /** Whether the description is another than the program's own. */
  isCustomDescription: boolean;
}

/** Looks for everything that the proof needs. Throws sentences that say what is missing and how to get it. */
export function findStripeRequirements(environment = process.env): StripeRequirements {
  const program = environment.STRIPE_MOCK ?? "";
  if (!isExecutable(program))
    throw new PlainFailure(
      `${program ? `STRIPE_MOCK names no program that can be run: ${program}` : "stripe-mock is missing."} It is built with Go:\n` +
        "  export STRIPE_MOCK=$HOME/stripe-mock/stripe-mock && test/real/stripe/build-program.sh",
    );
  const named = environment.STRIPE_DESCRIPTION;
  const description = named || join(dirname(program), "spec3.json");
  if (!existsSync(description))
    throw new PlainFailure(
      named
        ? `STRIPE_DESCRIPTION names no file: ${named}`
        : `Stripe's description is missing beside stripe-mock: ${description}. Run test/real/stripe/build-program.sh, which puts it there.`,
    );
  return { program, description, isCustomDescription: Boolean(named) };
}

function isExecutable(path: string): boolean {
  if (path === "") return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
