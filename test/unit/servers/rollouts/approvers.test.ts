import { beforeEach, expect, test } from "vitest";
import {
  type Approvers,
  approversIn,
  removeApprovers,
  removedIn,
  saveApprovers,
} from "~/features/servers/rollouts/approvers.server.ts";
import { prepareTables } from "~/features/servers/storage/tables.server.ts";
import { sqliteStorage } from "../../../support/servers/sqlite-storage.ts";

let sql: SqlStorage;
beforeEach(() => {
  sql = sqliteStorage();
  prepareTables(sql);
});

const of = (people: string[], revision?: number): Approvers => ({
  ...{ needed: 1, origin: "https://console.example.com" },
  ...(revision === undefined ? {} : { revision }),
  keys: people.map((person) => ({
    ...{ person, by: `${person}@example.com`, credential: person, key: "k", fingerprint: person },
  })),
});
const people = () => approversIn(sql)?.keys.map(({ person }) => person);

test("an answer that was read before a passkey was removed, and comes after, takes it in again nowhere", () => {
  saveApprovers(sql, of(["ada", "bob"], 2));
  saveApprovers(sql, of(["ada"], 3));
  saveApprovers(sql, of(["ada", "bob"], 2));
  expect([people(), removedIn(sql)]).toEqual([["ada"], ["bob"]]);
  saveApprovers(sql, of(["ada", "bob"], 4));
  expect([people(), removedIn(sql)]).toEqual([["ada", "bob"], []]);
});

test("who left stays removed until the database's revision says otherwise", () => {
  saveApprovers(sql, of(["ada", "bob"], 2));
  removeApprovers(sql, (person) => person !== "bob");
  saveApprovers(sql, of(["ada", "bob"], 2));
  expect([people(), removedIn(sql)]).toEqual([["ada"], ["bob"]]);
  saveApprovers(sql, of(["ada", "bob"], 3));
  expect(people()).toEqual(["ada", "bob"]);
});

test("a site of before, which says no revision, is heard as before", () => {
  saveApprovers(sql, of(["ada", "bob"]));
  saveApprovers(sql, of(["ada"]));
  expect([people(), removedIn(sql)]).toEqual([["ada"], ["bob"]]);
});
