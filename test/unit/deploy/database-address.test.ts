import { expect, test } from "vitest";
import { openDatabase } from "../../../scripts/deploy/database/connection.ts";
import { UsageError } from "../../../scripts/lib/settings.ts";

test("a database address with a bare percent sign is refused with a sentence that hides the password", async () => {
  const url = "postgresql://postgres:hush%zz@127.0.0.1:5432/postgres";
  const error = await openDatabase((name) => (name === "SUPABASE_DB_URL" ? url : undefined)).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain("Write each one that belongs to the password as %25");
  expect(String(error)).not.toContain("hush");
});
