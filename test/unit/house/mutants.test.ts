import { expect, test } from "vitest";
import { describeMutant, mutantsOf, withMutant } from "../../mutation/mutants.ts";

const faultsOf = (file: string, text: string) =>
  mutantsOf(file, text).map((mutant) => withMutant(text, mutant));

test("a script gets its conditions the other way round, its operators opposite and its guards removed", () => {
  expect(faultsOf("a.ts", "if (a < b) return;")).toEqual([
    "if (!(a < b)) return;",
    ";",
    "if (a >= b) return;",
  ]);
  expect(faultsOf("a.ts", "const c: number | undefined = !a && d(true);")).toEqual([
    "const c: number | undefined = !a || d(true);",
    "const c: number | undefined = a && d(true);",
    "const c: number | undefined = !a && d(false);",
  ]);
  expect(faultsOf("a.ts", 'const words = "a" + b; type Flag = true;')).toEqual([]);
});

test("SQL and shell scripts get theirs where they decide, and not in comments", () => {
  expect(faultsOf("a.sql", "  where a is null and b\n-- this and that")).toEqual([
    "  where a is null or b\n-- this and that",
    "  where a is not null and b\n-- this and that",
  ]);
  expect(faultsOf("a.sh", '[ -n "$a" ] || exit 1\n# one && two')).toEqual([
    '[ -n "$a" ] && exit 1\n# one && two',
    '[ -z "$a" ] || exit 1\n# one && two',
  ]);
});

test("a fault is described by its place and its line before and after", () => {
  const text = "a();\n  if (b) return;\n";
  const [negated] = mutantsOf("a.ts", text);
  expect(negated && describeMutant(text, negated)).toBe(
    "a.ts:2: if (b) return; -> if (!(b)) return;",
  );
});
