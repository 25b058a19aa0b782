import { beforeEach, expect, test } from "vitest";
import type { DeploymentOptions } from "../../../app/features/deployments/bundle/options/options.ts";
import { defaultOptions } from "../../support/deployments/bundle-cases.ts";
import {
  storeDeployment,
  storedDeployment,
  storeVersion,
} from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes, resolverRequests, steerInternet } from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import type { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const address = "198.41.0.4";
const domain = "live.example.com";
const options: DeploymentOptions = { ...defaultOptions, domain, email: "ops@example.com" };
const names = [domain, `turn.${domain}`];

let visitor: Visitor;
let id: string;
const here = () => `/dashboard/deployments/${id}`;

beforeEach(async () => {
  await resetFakes();
  visitor = await customer("basic", email);
  id = await storeDeployment(email, options);
});

/** The words of a page; names and commands may wrap within. */
const wordsOf = (html: string) => textOfHtml(html.replaceAll(/<wbr\/?>/g, ""));

const paste = (fields: Record<string, string> = { ipv4: address }) =>
  visitor.post(here(), { intent: "address", ...fields });

/** The words of the page that answers a look, as a browser without script shows them. */
async function look(): Promise<string> {
  return wordsOf(await (await visitor.post(here(), { intent: "look" })).text());
}

async function setRecords(value = address): Promise<void> {
  for (const name of names) await steerInternet({ name, A: [value] });
}

const ticks = async () => Object.keys(Object((await storedDeployment(id)).ticks)).toSorted();

testInProof(
  "the VM comes before DNS, and its address is asked for where it is printed",
  async () => {
    const page = await (await visitor.request(here())).text();
    const headings = [...page.matchAll(/<h3[^>]*>([^<]+)<\/h3>/g)].map(([, title]) => title);
    const steps = ["Describe it", "Create VM", "DNS", "Doctor", "Connect"];
    const first = headings.indexOf("Describe it");
    expect(headings.slice(first, first + steps.length)).toEqual(steps);
    expect(wordsOf(page)).toContain("paste it in step 2");
  },
);

testInProof("one pasted address fills every DNS row, the zone file and the ssh line", async () => {
  expect((await paste({ ipv4: " http://198.41.0.4/ " })).status).toBe(303);
  const words = wordsOf(await (await visitor.request(here())).text());
  expect(words).toContain(`ssh -i ~/.ssh/MY_KEY.pem ubuntu@${address}`);
  for (const name of names) expect(words).toContain(`${name}. 300 IN A ${address}`);
  expect(words).not.toContain("the server's IPv4 address");
  expect(await storedDeployment(id)).toMatchObject({ server_ipv4: address, server_version: 1 });
});

testInProof.each(["10.0.0.5", "127.0.0.1", "::ffff:127.0.0.1", "169.254.169.254", "not yet", ""])(
  "the address %j is refused in words, and what was typed stays",
  async (typed) => {
    const answer = await paste({ ipv4: typed });
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain(`value="${typed}"`);
    expect(textOfHtml(page)).toContain("The address was not saved.");
    expect((await storedDeployment(id)).server_ipv4).toBeNull();
  },
);

testInProof("both addresses are asked for where both kinds of records are set", async () => {
  await storeVersion(email, id, { ...options, addresses: "dual" }, 1);
  expect((await paste()).status).toBe(400);
  expect((await paste({ ipv4: address, ipv6: "2001:503:BA3E:0::2:30" })).status).toBe(303);
  const words = wordsOf(await (await visitor.request(here())).text());
  expect(words).toContain(`${domain}. 300 IN AAAA 2001:503:ba3e::2:30`);
});

test("each record says whether it is right, and right ones tick DNS by themselves", async () => {
  await paste();
  await steerInternet({ name: domain, A: [address] });
  const some = await look();
  expect(some).toMatch(/Now Right .*Now Not there yet /);
  expect(await ticks()).toEqual(["machine"]);
  await steerInternet({ name: `turn.${domain}`, CNAME: domain });
  await look();
  expect(await ticks()).toEqual(["dns", "machine"]);
  expect((await storedDeployment(id)).ticks).toMatchObject({ dns: { version: 1, how: "site" } });
});

testInProof(
  "a tick that the site made goes when its record is wrong again, and one by hand stays",
  async () => {
    await paste();
    await setRecords();
    await look();
    await setRecords("198.41.0.5");
    expect(await look()).toContain("Points elsewhere: 198.41.0.5");
    expect(await ticks()).toEqual(["machine"]);
    await visitor.post(here(), { intent: "progress", step: "dns", done: "yes" });
    await look();
    expect(await ticks()).toEqual(["dns", "machine"]);
  },
);

test("a server that answers ticks itself, and every other answer is said in words", async () => {
  await paste();
  await setRecords();
  for (const [answers, words] of [
    ["nothing", "Nothing answers at https://live.example.com yet."],
    ["no-certificate", "The server answers, and has no certificate yet."],
    ["not-ready", "LiveKit answers that it is not ready yet."],
    ["website", "Something other than LiveKit answers at https://live.example.com."],
    ["redirect", "Something other than LiveKit answers"],
    ["endless", "Something other than LiveKit answers"],
  ]) {
    await steerInternet({ server: domain, answers });
    expect.soft(await look(), answers).toContain(words);
    expect(await ticks()).toEqual(["dns", "machine"]);
  }
  await steerInternet({ server: domain, answers: "livekit" });
  expect(await look()).toContain("https://live.example.com answers: LiveKit runs.");
  expect(await ticks()).toEqual(["answer", "dns", "machine"]);
});

testInProof.each(sample(["127.0.0.1", "169.254.169.254", "198.41.0.5"], 1))(
  "a domain that leads to %s is not asked for a server",
  async (elsewhere) => {
    await paste();
    await setRecords(elsewhere);
    await steerInternet({ server: domain, answers: "livekit" });
    expect(await look()).toContain(`Points elsewhere: ${elsewhere}`);
    await steerInternet({ name: domain, A: [address, elsewhere] });
    expect(await look()).toContain(`Points elsewhere: ${elsewhere}`);
    expect((await resolverRequests()).filter((path) => path.startsWith("/servers"))).toEqual([]);
    expect(await ticks()).toEqual(["machine"]);
  },
);

testInProof(
  "a stale address of the other family beside the right one is said, and no server is asked",
  async () => {
    await paste();
    await setRecords();
    await steerInternet({ server: domain, answers: "livekit" });
    await steerInternet({ name: domain, AAAA: ["2001:503:ba3e::2:30"] });
    expect(await look()).toContain("Points elsewhere: 2001:503:ba3e::2:30");
    expect((await resolverRequests()).filter((path) => path.startsWith("/servers"))).toEqual([]);
    expect(await ticks()).toEqual(["machine"]);
  },
);

testInProof.each(["failing", "down", "garbage"])(
  "a resolver that is %s is said, and nothing is ticked or taken back",
  async (resolver) => {
    await paste();
    await setRecords();
    await look();
    await steerInternet({ resolver });
    expect(await look()).toContain("Could not be looked up");
    expect(await ticks()).toEqual(["dns", "machine"]);
  },
);

testInProof(
  "a resolver that does not answer keeps nobody waiting for more than some seconds",
  async () => {
    await paste();
    await steerInternet({ resolver: "silent" });
    expect(await look()).toContain("Could not be looked up");
  },
);

testInProof("without an address nothing is looked up", async () => {
  const answer = await visitor.post(here(), { intent: "look" });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain("Paste the server&#x27;s address first");
  expect(await resolverRequests()).toEqual([]);
});

testInProof(
  "a customer who starts looks too often is answered 429, and no server is asked",
  async () => {
    await paste();
    let last: Response | undefined;
    // Twice the limit, because the minute that counts may end in between.
    for (let looks = 0; looks < 70 && last?.status !== 429; looks++) {
      last = await visitor.post(here(), { intent: "look" });
      await last.body?.cancel();
    }
    expect([last?.status, last?.headers.get("retry-after")]).toEqual([429, "60"]);
  },
);

testInProof("somebody else can neither look at a deployment nor give it an address", async () => {
  await paste();
  const stranger = await customer("basic", "customer.two@example.com");
  const forms: Record<string, string>[] = [
    { intent: "look" },
    { intent: "address", ipv4: "198.41.0.9" },
  ];
  for (const fields of forms) {
    expect((await stranger.post(here(), fields)).status).toBe(404);
  }
  expect((await storedDeployment(id)).server_ipv4).toBe(address);
});
