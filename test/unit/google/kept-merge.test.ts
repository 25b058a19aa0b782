import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepDraft, readDraft } from "~/features/google/questions/saved-draft.client";
import {
  aloneWithMerge,
  clearMerge,
  keepProgress,
  readMerge,
  type SavedMerge,
  startMerge,
} from "~/features/google/results/saved-merge.client";

const owner = "customer";

/** What windows of one browser share. */
beforeEach(() => {
  for (const name of ["localStorage", "sessionStorage"]) {
    const storage = new Map<string, string>();
    vi.stubGlobal(name, {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => storage.set(key, value),
      removeItem: (key: string) => storage.delete(key),
    });
  }
  let isHeld = false;
  const request = async (_: string, __: object, work: (lock: object | null) => unknown) => {
    if (isHeld) return work(null);
    isHeld = true;
    try {
      return await work({});
    } finally {
      isHeld = false;
    }
  };
  vi.stubGlobal("navigator", { locks: { request } });
});

afterEach(() => void vi.unstubAllGlobals());

function merge(id: string): SavedMerge {
  return {
    template: { to: "{{email}}", subject: id, body: "Hello" },
    table: `email\n${id}@example.com`,
    email: "customer.one@example.com",
    progress: { id, startedAt: 1, rowStates: {} },
  };
}

test("a second window begins no merge over the one that is kept", async () => {
  expect(await startMerge(owner, merge("first"))).toBeUndefined();
  expect(await startMerge(owner, merge("second"))).toContain("has begun a mail merge");
  expect(readMerge(owner)).toEqual(merge("first"));
});

test("while a merge runs, no other window begins, resumes or ends one", async () => {
  await startMerge(owner, merge("first"));
  await aloneWithMerge(owner, async () => {
    for (const outcome of [
      startMerge(owner, merge("second")),
      clearMerge(owner, "first"),
      aloneWithMerge(owner, () => "ran"),
    ]) {
      expect(await outcome).toContain("running in another window");
    }
    return undefined;
  });
  expect(readMerge(owner)).toEqual(merge("first"));
});

test("progress and an end of another merge leave the kept one as it is", async () => {
  await startMerge(owner, merge("first"));
  const rowStates = { 1: { state: "sent" } } as const;
  expect(() => keepProgress(owner, { id: "second", startedAt: 1, rowStates })).toThrow();
  await clearMerge(owner, "second");
  expect(readMerge(owner)).toEqual(merge("first"));
  keepProgress(owner, { id: "first", startedAt: 1, rowStates });
  expect(readMerge(owner)?.progress.rowStates).toEqual(rowStates);
  await clearMerge(owner, "first");
  expect(readMerge(owner)).toBeUndefined();
  expect(() => keepProgress(owner, { id: "first", startedAt: 1, rowStates })).toThrow();
});

test("a merge that was sent leaves nothing in the form to send a second time", async () => {
  const { template, table, ...sent } = merge("first");
  keepDraft(owner, "gmail merge", { ...template, table });
  await startMerge(owner, { ...sent, template, table });
  expect(readDraft(owner, "gmail merge")).toEqual({});
  keepProgress(owner, { ...sent.progress, rowStates: { 1: { state: "sent" } } });
  await clearMerge(owner, "first");
  expect(readDraft(owner, "gmail merge")).toEqual({});
});

test("what a merge that was given up did not send is in the form again, and nothing else", async () => {
  const names = 'name;"e,mail";note';
  const table = [
    names,
    "A;a@example.com",
    "B;b@example.com",
    "C;c@example.com",
    '"D; ""Jr""";d@example.com',
    "A again;A@example.com",
    "B again;b@example.com",
    ";e@example.com",
  ].join("\r\n");
  const template = { to: "{{e,mail}}", subject: "Hello", body: "Dear {{name}}" };
  const given = { ...merge("first"), template, table };
  await startMerge(owner, given);
  const rowStates = {
    1: { state: "sent" },
    2: { state: "sending", at: 1 },
    3: { state: "failed", message: "Google did not accept this." },
  } as const;
  keepProgress(owner, { ...given.progress, rowStates });
  await clearMerge(owner, "first");
  expect(readDraft(owner, "gmail merge")).toEqual({
    ...template,
    table: `${names}\nC;c@example.com\n"D; ""Jr""";d@example.com\n;e@example.com`,
    unsure: "b@example.com",
  });
});

test("a merge is kept under the names that browsers already have, and read from them", async () => {
  const progress = { id: "first", startedAt: 1, standings: { 1: { state: "sent" } } };
  const stored = { ...merge("first"), progress };
  localStorage.setItem(`mail-merge ${owner}`, JSON.stringify(stored));
  expect(readMerge(owner)?.progress.rowStates).toEqual({ 1: { state: "sent" } });
  keepProgress(owner, { id: "first", startedAt: 1, rowStates: { 1: { state: "sent" } } });
  expect(JSON.parse(localStorage.getItem(`mail-merge ${owner}`) ?? "")).toEqual(stored);
});
