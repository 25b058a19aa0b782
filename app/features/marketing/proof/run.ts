import * as z from "zod/mini";
import { sha256Hex } from "../../../http/hashes.ts";

/**
 * A run of a proof or of a benchmark, which the command itself wrote down (`test/support/run/record-run.ts`). The page
 * /proof shows no figure that is not in one.
 */
export const runSchema = z.strictObject({
  /** What one types to repeat it. */
  command: z.string(),
  startedAt: z.iso.datetime(),
  seconds: z.number(),
  /** The commit that it ran on. */
  commit: z.string().check(z.regex(/^[0-9a-f]{12}$/)),
  /** What it ran on, as "2 cores". */
  machine: z.string(),
  /** The real programs that took part. */
  versions: z.record(z.string(), z.string()),
  /** How many tests passed. A run in which one failed is not written down; a benchmark has none. */
  passed: z.number(),
  /** What was measured, by its name, in the order in which it was measured. */
  measurements: z.record(z.string(), z.array(z.number())),
});
export type Run = z.output<typeof runSchema>;

const sealedSchema = z.strictObject({ run: runSchema, seal: z.string() });
export type SealedRun = z.output<typeof sealedSchema>;

/** Runs by the name of what was run, as `media`. */
export type Runs = Readonly<Record<string, Run>>;

/** The SHA-256 of a run. It shows that nobody has changed a figure by hand; it is no signature. */
const sealOf = (run: Run): Promise<string> => sha256Hex(JSON.stringify(runSchema.parse(run)));

export const sealed = async (run: Run): Promise<SealedRun> => ({ run, seal: await sealOf(run) });

/** The runs of a record whose seals fit, and the names of the others. */
export async function verifiedRuns(
  record: Readonly<Record<string, unknown>>,
): Promise<{ runs: Runs; altered: string[] }> {
  const altered: string[] = [];
  const runs: Record<string, Run> = {};
  for (const [name, content] of Object.entries(record)) {
    const parsed = sealedSchema.safeParse(content);
    if (parsed.success && (await sealOf(parsed.data.run)) === parsed.data.seal) {
      runs[name] = parsed.data.run;
    } else altered.push(name);
  }
  return { runs, altered };
}
