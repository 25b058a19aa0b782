import { spawnSync } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLite } from "../../../fakes/supabase/database/lite.ts";

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

test("local data of migrations that are gone is refused, with what to do", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "local-data-"));
  const data = join(folder.path, "supabase");
  const config = { auth: { enabled: true } };
  const { connection } = await openLite(data, config, (database) =>
    database.exec(
      "insert into supabase_migrations.schema_migrations (version) values ('20261121090000')",
    ),
  );
  await connection.close();
  await expect(openLite(data, config)).rejects.toThrow("npm run reset");
}, 120_000);
