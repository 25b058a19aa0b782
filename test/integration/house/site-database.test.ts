import { expect, inject, test } from "vitest";
import { runSql } from "../../support/site/control-fakes.ts";

test("the database of a site's fakes is the run's PostgreSQL where there is one, else PGlite", async () => {
  const [row] = await runSql<{ version: string }>("select version()");
  expect(/emcc|emscripten/i.test(row?.version ?? "")).toBe(inject("postgres") === "");
});
