import type * as z from "zod/mini";
import type { Problem } from "../bundle-types.ts";
import { contradictions } from "./contradictions.ts";
import { migrateOptions } from "./option-migrations.ts";
import { type DeploymentOptions, deploymentSchema } from "./options.ts";
import { valueAt } from "./paths.ts";

/**
 * Checks options of any origin: a form, a file or the database, also when an older version of this program wrote them.
 * Each problem names its field and says in a sentence what to change.
 */
export function parseOptions(
  input: unknown,
):
  | { options: DeploymentOptions; problems?: undefined }
  | { options?: undefined; problems: Problem[] } {
  const current = migrateOptions(input);
  const parsed = deploymentSchema().safeParse(current, { error: wordsOf });
  if (!parsed.success)
    return { problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, current)) };
  const problems = contradictions(parsed.data);
  return problems.length > 0 ? { problems } : { options: parsed.data };
}

type Issue = z.core.$ZodIssue;

/** What is said of a problem for which the schema itself has no words. */
function wordsOf({ code }: z.core.$ZodRawIssue): string | undefined {
  return code === "invalid_type" ? "Write an object of options here." : undefined;
}

function problemsOf(issue: Issue, input: unknown): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      path: [...path, key].join("."),
      message: "There is no such option here.",
    }));
  const absent = path.length > 0 && valueAt(input, path.join(".")) === undefined;
  return [{ path: path.join("."), message: absent ? "This is needed." : issue.message }];
}
