// Faults of networks and servers made for real, and the sentence that a connection test has for each: by a link, in a
// browser that never saw the site.
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import { callKey, callSecret } from "../../support/deployments/call-server.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { newSecret, storeTestLink } from "../../support/deployments/test-links.ts";
import { testToken } from "../../support/deployments/test-token.ts";
import { resetFakes, steerServer } from "../../support/site/control-fakes.ts";
import { signedIn } from "../../support/site/visitor.ts";
import { domain, type ServerNetwork, startServerNetwork } from "./server-network.ts";

const email = "customer.one@example.com";

beforeEach(async () => {
  await resetFakes();
  await steerServer(domain, "livekit");
  await signedIn(email);
});

const [udp, tcp, tls, none] = [
  "Straight to the server, over UDP",
  "Straight to the server, over TCP",
  "Relayed by the server's TURN, inside TLS",
  "No way for sound and picture",
];

type Fault = Partial<ServerNetwork> & {
  name: string;
  says: string | RegExp;
  ways: readonly unknown[];
  outside?: string;
  secret?: string;
  /** Whether it is tested twice, one after the other. */
  again?: true;
  problems?: readonly string[];
};

const faults: readonly Fault[] = [
  {
    name: "everything is open",
    says: "Calls take the best way here: straight to the server, over UDP.",
    ways: [udp, tcp, "Relayed by the server's TURN, over UDP"],
    again: true,
  },
  {
    name: "UDP is blocked",
    firewall: "no-udp",
    // The browser takes whichever of TCP and TURN inside TLS it reaches first.
    says: /UDP does not get through|this network lets nothing faster through/,
    ways: [expect.stringMatching(/over TCP$|inside TLS$/), tcp, tls],
  },
  {
    name: "only port 443 is open",
    firewall: "only-443",
    says: "this network allows little more than port 443: they are relayed by the server's TURN.",
    // LiveKit goes on from TCP to TURN by itself, or the test's time ends before.
    ways: [tls, expect.stringMatching(/inside TLS$|^The connection did not come back$/), tls],
  },
  {
    name: "TURN is off",
    turn: false,
    says: "Calls take the best way here: straight to the server, over UDP.",
    ways: [udp, tcp, none],
  },
  {
    name: "only port 443 is open, and TURN is off",
    firewall: "only-443",
    turn: false,
    says: "LiveKit answers here, but sound and picture get through on no way.",
    ways: [none, "Not tried", "Not tried"],
  },
  {
    name: "the certificate is of nobody whom browsers know",
    goodCertificate: false,
    outside: "no-certificate",
    says: "The server has no certificate that browsers accept for media.example.com.",
    ways: ["The server was not reached", "Not tried", "Not tried"],
    problems: ["net::ERR_CERT_AUTHORITY_INVALID"],
  },
  {
    name: "the token was signed with another secret",
    secret: "x".repeat(44),
    says: "This test's token was signed with a wrong API secret.",
    ways: ["The signature was refused", "Not tried", "Not tried"],
    problems: ["WebSocket connection to 'wss://media.example.com/rtc", "Failed to load resource"],
  },
];

test.each(faults)("where $name the tester reads why", async (fault) => {
  const { firewall = "open", turn = true, goodCertificate = true, says, ways } = fault;
  await using server = await startServerNetwork({ firewall, turn, goodCertificate });
  if (fault.outside) await steerServer(domain, fault.outside);
  const link = newSecret();
  await storeTestLink(await storeDeployment(email, fullOptions()), link);
  await using stranger = await openPage({ flags: server.flags, checksCertificates: true });
  const { page } = stranger;
  for (const problem of fault.problems ?? []) stranger.expectProblem(problem);
  const token = testToken(callKey, fault.secret ?? callSecret);
  await stranger.visit(`/connection-test/${link}#${token}`);
  await page.getByRole("button", { name: "Start the test" }).click();
  await page.getByText("The result was sent to whoever gave you the link.").waitFor();
  const found = page.locator("dl").first().locator("dd > p:first-child");
  expect(await found.allTextContents()).toEqual(ways);
  await page.getByText(says).waitFor();
  if (fault.again) {
    // The server's memory of what it was switched to says nothing of the network.
    await page.getByRole("button", { name: "Test again" }).click();
    await page.getByRole("status").getByText("Testing, 1 of 3").waitFor();
    await page.getByText("The result was sent to whoever gave you the link.").waitFor();
    expect(await found.allTextContents()).toEqual(ways);
  }
  const text = (await page.locator("main").textContent()) ?? "";
  // What was relayed is never called UDP to the server, whatever the relay's other side uses.
  if (firewall !== "open") expect(text).not.toContain("over UDP");
  expect(server.dropped() > 0).toBe(firewall !== "open");
  expect(await page.context().cookies()).toEqual([]);
});
