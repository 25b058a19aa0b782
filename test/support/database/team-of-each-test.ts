import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Query } from "./many-rows.ts";
import { openDatabase } from "./open-database.ts";
import { newTeam, type Team } from "./team.ts";

/** A database of the file's own, and before each test a new team in it. */
export function teamOfEachTest(): { query: Query; team: () => Team } {
  let opened: Awaited<ReturnType<typeof openDatabase>>;
  let team: Team;
  beforeAll(async () => {
    opened = await openDatabase();
  }, 120_000);
  beforeEach(async () => {
    team = await newTeam(opened.query);
  });
  afterAll(() => opened.close());
  return { query: (sql, parameters) => opened.query(sql, parameters), team: () => team };
}
