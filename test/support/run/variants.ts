import { inject, type TestFunction, test } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Whether this is `npm run proof`: tests run in each of their variants, and with many items. */
    isProof: boolean;
  }
}

/**
 * The variants in which a file's tests may run, such as with and without script. Give what it returns to
 * `test.each`. In `npm test` each call returns the next variant, so that the tests of a file take turns: only for
 * files with at least as many calls as variants. In `npm run proof` every call returns all of them.
 */
export function variants<Variant>(all: readonly Variant[]): () => readonly Variant[] {
  const next = inTurn();
  return () => next(all);
}

/**
 * One of several who stand for each other, such as the roles that may do the same. In `npm test` each call returns
 * the next one of those that it gets; in `npm run proof` all of them.
 */
export function inTurn(): <Item>(all: readonly Item[]) => readonly Item[] {
  let turn = 0;
  return (all) => {
    if (inject("isProof")) return all;
    const next = turn++ % Math.max(all.length, 1);
    return all.slice(next, next + 1);
  };
}

/** In `npm test` so many of a table's rows, spread over it; in `npm run proof` all. */
export function sample<Row>(rows: readonly Row[], count: number): readonly Row[] {
  const each = Math.ceil(rows.length / count);
  return inject("isProof") ? rows : rows.filter((_, at) => at % each === 0);
}

/** Pages must work with and without script. */
export const scriptVariants = [
  { script: "with JavaScript", javaScript: true },
  { script: "without JavaScript", javaScript: false },
] as const;

/** How much of something a test takes: a little in `npm test`, and all of it in `npm run proof`. */
export function amount<Amount>(amounts: { inTest: Amount; inProof: Amount }): Amount {
  return inject("isProof") ? amounts.inProof : amounts.inTest;
}

type Tests = Pick<typeof test, "each" | "for"> &
  ((name: string, run: TestFunction, timeout?: number) => void);
const none: Tests = Object.assign(() => {}, { each: () => () => {}, for: () => () => {} });

/**
 * Declares a test that runs in `npm run proof` alone: in `npm test` another one goes red where its rule breaks
 * (docs/tests.md).
 */
export const testInProof: Tests = inject("isProof") ? test : none;
