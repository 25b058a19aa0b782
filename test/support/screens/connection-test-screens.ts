import { database } from "../database/database.ts";
import { fullOptions, storeDeployment } from "../deployments/deployments.ts";
import { newSecret, storeTestEmbed, storeTestLink } from "../deployments/test-links.ts";
import { failedResult, goodResult } from "../deployments/test-results.ts";
import { steerServer } from "../site/control-fakes.ts";
import type { Visitor } from "../site/visitor.ts";
import { signedUpByMail } from "./prepare-workspaces.ts";
import { enterAs, press, type Screen, see } from "./screen.ts";

const tester = "tester@example.com";
const domain = "tested.example.com";

export type TestState = {
  tests: { owner: Visitor; page: string; link: string; ended: string; embed: string };
};

/** Somebody whose networks were tested: by links, in a page of theirs, and with results of each kind. */
export async function prepareTests(): Promise<TestState["tests"]> {
  const owner = await signedUpByMail(tester);
  const id = await storeDeployment(tester, { ...fullOptions(), domain });
  await steerServer(domain, "livekit");
  const [open, over] = [newSecret(), newSecret()];
  const link = await storeTestLink(id, open);
  const ended = await storeTestLink(id, over);
  const embed = await storeTestEmbed(id, ["https://help.example.com"]);
  await database
    .from("connection_test_links")
    .update({ ended_at: new Date().toISOString() })
    .eq("id", ended)
    .throwOnError();
  const test = { deployment_id: id };
  await database
    .from("connection_tests")
    .insert([
      { ...test, link_id: link, result: goodResult },
      { ...test, embed_id: embed, result: { ...failedResult("unreachable"), outside: "livekit" } },
    ])
    .throwOnError();
  return {
    owner,
    page: `/dashboard/deployments/${id}/connection-test`,
    link: `/connection-test/${open}`,
    ended: `/connection-test/${over}`,
    embed: `/connection-test/embed/${embed}`,
  };
}

/** The screens of connection tests, also of whoever has a link. `state` answers what they show. */
export function connectionTestScreens(state: () => TestState): readonly Screen[] {
  const stranger = (name: string, path: () => string, shows: string): Screen => ({
    name,
    async open(person) {
      await person.visit(path());
      await see(person, shows);
    },
  });
  return [
    stranger(
      "a connection test by a link",
      () => `${state().tests.link}#a.b.c`,
      "Does this network let calls through",
    ),
    stranger(
      "a connection test by a link that is not whole",
      () => state().tests.link,
      "The test takes half a minute",
    ),
    {
      name: "a connection test by a link that has ended",
      async open(person) {
        person.expectProblem("410 GET /connection-test/");
        await person.visit(state().tests.ended);
        await see(person, "This link has ended.");
      },
    },
    stranger(
      "a connection test in a customer's page",
      () => `${state().tests.embed}#a.b.c`,
      "Whoever runs this page then sees",
    ),
    {
      name: "a connection test in a customer's page that failed",
      needsScript: true,
      async open(person) {
        person.expectProblem("net::ERR_NAME_NOT_RESOLVED");
        await person.visit(`${state().tests.embed}#a.b.c`);
        await press(person, "Start the test");
        await see(person, "The result was sent to whoever runs this page.");
      },
    },
    {
      name: "connection tests with links, a page that shows one, and results",
      async open(person) {
        await enterAs(person, state().tests.owner);
        await person.visit(state().tests.page);
        await see(person, "The help page · Firefox 144");
      },
    },
  ];
}
