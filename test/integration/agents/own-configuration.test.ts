import { beforeEach, expect, test } from "vitest";
import {
  changeOwn,
  firstChoices,
  saveVersions,
  userConfiguration,
} from "../../support/agents/agent.ts";
import { userIdOf } from "../../support/database/database.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const owner = "customer.one@example.com";
const other = "customer.two@example.com";

beforeEach(resetFakes);

test("every version is kept with who and when; an old one comes back as a new one", async () => {
  const visitor = await customer();
  expect(await userConfiguration(visitor)).toMatchObject({ version: 0, versions: [] });
  expect(await changeOwn(visitor, firstChoices({ model: "first" }))).toMatchObject({
    message: "Configuration updated successfully!",
  });
  await changeOwn(visitor, firstChoices({ model: "second", version: "1" }));
  await changeOwn(visitor, firstChoices({ model: "second", version: "2" }));
  expect(await changeOwn(visitor, firstChoices({ model: "late", version: "1" }))).toMatchObject({
    ok: false,
    status: 409,
    version: 2,
    message: expect.stringContaining("saved elsewhere in the meantime"),
  });
  expect(await changeOwn(visitor, { intent: "restore", version: "1" })).toEqual({
    ok: true,
    message: "Version 1 is in force again, as version 3.",
    version: 3,
  });
  const { configuration, version, versions } = await userConfiguration(visitor);
  expect([configuration.model, version]).toEqual(["first", 3]);
  expect(versions.map((each) => [each.version, each.configuration.model])).toEqual([
    [3, "first"],
    [2, "second"],
    [1, "first"],
  ]);
  expect(versions[0]?.restoredFrom).toBe(1);
  for (const each of versions) {
    expect(each.savedBy).toBe(owner);
    expect(Date.parse(each.savedAt)).not.toBeNaN();
  }
});

testInProof("every version can be reached, a hundred at a time, and only one's own", async () => {
  const visitor = await customer(undefined, owner);
  const stranger = await customer(undefined, other);
  await saveVersions(await userIdOf(owner), 203);
  const olderThan = async (before: string | number, who = visitor) => {
    const response = await who.request(`/openai-config/own?before=${before}`);
    const body = (await response.json()) as { versions: { version: number }[]; error?: string };
    return {
      status: response.status,
      ...body,
      numbers: body.versions?.map((each) => each.version),
    };
  };
  const numbers = (newest: number, oldest: number) =>
    Array.from({ length: newest - oldest + 1 }, (_, place) => newest - place);
  const { versions } = await userConfiguration(visitor);
  expect(versions.map(({ version }) => version)).toEqual(numbers(203, 104));
  expect((await olderThan(104)).numbers).toEqual(numbers(103, 4));
  const { numbers: last, ...rest } = await olderThan(4);
  expect(last).toEqual([3, 2, 1]);
  expect(rest.versions[2]).toEqual({
    ...versions[0],
    version: 1,
    configuration: { ...versions[0]?.configuration, model: "model-1" },
  });
  expect((await olderThan(104, stranger)).versions).toEqual([]);
  expect((await olderThan(104, new Visitor())).status).toBe(401);
  for (const before of ["", "0", "-1", "x", "1e3", "9".repeat(20)]) {
    expect(await olderThan(before), before).toMatchObject({
      status: 400,
      error: "There is no such version.",
    });
  }
  expect(await changeOwn(visitor, { intent: "restore", version: "1" })).toMatchObject({ ok: true });
  expect((await userConfiguration(visitor)).configuration.model).toBe("model-1");
});

testInProof("twenty saves over the same version at once make one version", async () => {
  const visitor = await customer();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, place) =>
      changeOwn(visitor, firstChoices({ model: `model-${place}` })),
    ),
  );
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
  expect((await userConfiguration(visitor)).version).toBe(1);
});

const refusals: [what: string, field: string, typed: string, words: string][] = [
  ["no name", "model", "", "A model needs a name."],
  ["a name with a space", "model", "two words", "The name of a model has no spaces."],
  ["a long name", "model", "m".repeat(101), "The name of a model has at most 100 characters."],
  [
    "a tab in a name",
    "inputAudioTranscription.model",
    "a\tb",
    "The name of a model has no spaces.",
  ],
  [
    "long instructions",
    "instructions",
    "i".repeat(10_001),
    "Instructions have at most 10000 characters; these have 10001.",
  ],
  ["NUL", "instructions", "a\u0000b", "The instructions have a character that is no text."],
  ["an unknown voice", "voice", "robot", "Choose one of the voices."],
];

test("what is not allowed is refused at its field, and nothing is saved", async () => {
  const visitor = await customer();
  for (const [what, field, typed, words] of refusals) {
    expect.soft(await changeOwn(visitor, firstChoices({ [field]: typed })), what).toEqual({
      ok: false,
      status: 400,
      message: words,
      problems: { [field]: words },
    });
  }
  expect((await userConfiguration(visitor)).version).toBe(0);
});

testInProof("the longest that is allowed is saved and read back as it was", async () => {
  const visitor = await customer();
  for (const [version, instructions] of ["🎧".repeat(5_000), "語".repeat(10_000)].entries()) {
    const model = "m".repeat(100);
    await changeOwn(visitor, firstChoices({ model, instructions, version: String(version) }));
    expect((await userConfiguration(visitor)).configuration).toMatchObject({ model, instructions });
  }
  const withoutScript = firstChoices({ instructions: "字".repeat(10_000), version: "2" });
  expect((await visitor.post("/dashboard/models", withoutScript)).status).toBe(200);
  expect((await userConfiguration(visitor)).version).toBe(3);
  const more = firstChoices({ instructions: "語".repeat(20_000), version: "3" });
  const message = "This is too long. Shorten it, please.";
  expect(await changeOwn(visitor, more)).toEqual({ ok: false, status: 413, message });
  const page = await visitor.post("/dashboard/models", more);
  expect([page.status, await page.text()]).toEqual([413, expect.stringContaining(message)]);
});
