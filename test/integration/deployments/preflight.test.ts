import { beforeEach, expect, test } from "vitest";
import { defaultOptions } from "../../support/deployments/bundle-cases.ts";
import { storeDeployment } from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import {
  resetFakes,
  resolverRequests,
  steerInternet,
  steerMachine,
  steerServer,
} from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import { inTrial } from "../../support/trial/begin-trial.ts";

const email = "customer.one@example.com";
const address = "198.41.0.4";
const domain = "live.example.com";
const options = { ...defaultOptions, domain, email: "ops@example.com" };

let visitor: Visitor;
let here: string;

beforeEach(async () => {
  await resetFakes();
  visitor = await customer("basic", email);
  here = `/dashboard/deployments/${await storeDeployment(email, options)}`;
});

/** The words of the page that answers a check, as a browser without script shows them; names may wrap within. */
async function preflight(of = visitor) {
  const answer = await of.post(here, { intent: "preflight" });
  const html = (await answer.text()).replaceAll(/<wbr\/?>/g, "").replaceAll("&#x27;", "'");
  const words = textOfHtml(html);
  return { status: answer.status, words };
}

test("before the first boot the page says of each step whether it is right, and what to do, without script", async () => {
  await visitor.post(here, { intent: "address", ipv4: address });
  const missing = await preflight();
  expect(missing.words).toContain(`${domain} has no address in DNS.`);
  expect(missing.words).toContain(`${domain} A ${address}`);
  expect(missing.words).toContain("It stands on a step that is not right.");
  for (const name of [domain, `turn.${domain}`]) await steerInternet({ name, A: [address] });
  await steerMachine(address, { https: "refused" });
  const closed = await preflight();
  expect(closed.words).toContain(`443/tcp of ${address} refuses connections`);
  expect(closed.words).toContain("open 443/tcp in your provider's firewall");
  expect(closed.words).toContain("7881/tcp opens.");
  await steerMachine(address);
  await steerServer(domain, "livekit");
  const right = await preflight();
  expect(right.words).toContain(`${domain} leads to ${address}. `);
  expect(right.words).toContain(`TURN answers over TLS at turn.${domain}.`);
  expect(right.words).not.toContain("What to do:");
  expect(right.words).toContain("UDP cannot be seen from here");
});

test("without an address nothing is asked, and the eleventh check in an hour is refused with the time", async () => {
  const none = await preflight();
  expect(none.status).toBe(400);
  expect(none.words).toContain("Paste the server's address first");
  expect(await resolverRequests()).toEqual([]);
  await visitor.post(here, { intent: "address", ipv4: address });
  for (let at = 0; at < 10; at += 1) expect((await preflight()).status).toBe(200);
  const eleventh = await preflight();
  expect(eleventh.status).toBe(429);
  expect(eleventh.words).toMatch(/Ten checks of one deployment .* in (60|59) minutes\./);
});

test("a trial asks nothing of anybody's server, and nobody checks another workspace's deployment", async () => {
  await visitor.post(here, { intent: "address", ipv4: address });
  const stranger = await customer("basic", "customer.two@example.com");
  expect((await preflight(stranger)).status).toBe(404);
  const trial = await inTrial();
  const overview = await (await trial.request("/dashboard")).text();
  const [, id] = /\/deployments\/([0-9a-f-]{36})/.exec(overview) ?? [];
  const answer = await trial.post(`/dashboard/deployments/${id}`, { intent: "preflight" });
  expect(answer.status).toBe(403);
  expect((await resolverRequests()).filter((path) => path.startsWith("/sockets"))).toEqual([]);
});
