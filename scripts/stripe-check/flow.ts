import type { Sandbox } from "./sandbox.ts";

/** Notes where Stripe's answer is not what the site counts on. */
type Compare = (what: string, actual: unknown, expected: unknown) => void;

/** A way through the site's requests, as the site sends them. */
export type Flow = { name: string; run(sandbox: Sandbox, compare: Compare): Promise<void> };

/** What a flow found otherwise than the site counts on; a refusal or a lost answer is one sentence. */
export async function walk({ run }: Flow, sandbox: Sandbox): Promise<string[]> {
  const differences: string[] = [];
  const compare: Compare = (what, actual, expected) => {
    const [is, wanted] = [JSON.stringify(actual), JSON.stringify(expected)];
    if (is !== wanted) differences.push(`${what} is ${is}, not ${wanted}.`);
  };
  try {
    await run(sandbox, compare);
  } catch (error) {
    differences.push(error instanceof Error ? error.message : String(error));
  }
  return differences;
}
