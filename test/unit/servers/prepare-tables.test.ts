import { expect, test } from "vitest";
import {
  livingTokens,
  revokeTokens,
  revokeTokensOfNonMembers,
  saveToken,
} from "../../../app/features/servers/ingest/enrolment.server.ts";
import { prepareTables } from "../../../app/features/servers/storage/tables.server.ts";
import { begin, minute } from "../../support/servers/incident-step.ts";
import { sqliteStorage } from "../../support/servers/sqlite-storage.ts";

const hour = 60 * minute;

test("a fleet of before keeps its tokens, which nobody is known to have made, and those of today have a maker", () => {
  const sql = sqliteStorage();
  sql.exec(
    `create table tokens (
       hash text primary key, deployment text not null, version integer not null,
       uses integer not null, used integer not null, ends integer not null, revoked integer not null
     ) without rowid`,
  );
  sql.exec("insert into tokens values ('old', 'one', 1, 1, 0, ?, 0)", begin + hour);
  prepareTables(sql);
  prepareTables(sql);
  const token = { deployment: "two", uses: 1, ends: begin + 2 * hour, maker: "ada" };
  saveToken(sql, "new", token, begin);
  const left = (now = begin) => livingTokens(sql, now).map(({ deployment }) => deployment);
  expect(left()).toEqual(["one", "two"]);
  expect(left(begin + hour)).toEqual(["two"]);
  revokeTokensOfNonMembers(sql, [{ person: "ada", address: null }], begin + hour);
  expect(left()).toEqual(["one", "two"]);
  revokeTokensOfNonMembers(sql, [{ person: "ben", address: null }], begin + 9 * minute);
  expect(left()).toEqual(["one", "two"]);
  revokeTokensOfNonMembers(sql, [{ person: "ben", address: null }], begin + 10 * minute);
  expect(left()).toEqual(["one"]);
  revokeTokens(sql, { maker: "ada" });
  expect(left()).toEqual(["one"]);
  revokeTokens(sql, { deployment: "one" });
  expect(left()).toEqual([]);
});
