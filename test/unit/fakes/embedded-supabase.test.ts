import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const script = `
  import { openLite } from "./fakes/supabase/database/lite.ts";
  process.exitCode = 3;
  const { connection } = await openLite("memory://", { auth: { enabled: true } });
  console.log(process.exitCode);
  await connection.close();
`;

test("the embedded Supabase leaves the exit code alone, so that a failed test run fails", () => {
  const run = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    encoding: "utf8",
  });
  expect([run.stdout.trim(), run.status]).toEqual(["3", 3]);
}, 60_000);
