import { beforeAll, expect, test } from "vitest";
import {
  clientLanguages,
  serverLanguages,
} from "../../../app/features/deployments/connect/languages.ts";
import { unescapeHtml } from "../../../scripts/vite/markdown/compile.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { samplesOf } from "../../support/documentation/samples.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const owner = new Visitor();
let base = "";

beforeAll(async () => {
  await resetFakes();
  await owner.signInWithGoogle(email);
  base = `/dashboard/deployments/${await storeDeployment(email, fullOptions())}/connect`;
});

/** The text of one box of code. */
function box(html: string, name: string): string | undefined {
  const start = html.indexOf(`aria-label="Content of ${name}"`);
  const [, code] = /<code>([\s\S]*?)<\/code>/.exec(html.slice(start)) ?? [];
  return start < 0 || code === undefined ? undefined : unescapeHtml(code.replaceAll("&#x27;", "'"));
}

const languages = [...Object.keys(serverLanguages), ...Object.keys(clientLanguages)];
const samples = [...samplesOf("tokens"), ...samplesOf("connect")];

test("the page has the server's address, the environment and the command for its secrets", async () => {
  const html = await (await owner.request(base)).text();
  expect(box(html, "LIVEKIT_URL")).toBe("wss://media.example.com");
  expect(box(html, ".env")).toBe(
    "LIVEKIT_URL=wss://media.example.com\nLIVEKIT_API_KEY=\nLIVEKIT_API_SECRET=\n",
  );
  expect(textOfHtml(html.replaceAll(/<wbr.?>/g, ""))).toContain(
    "This command shows them there: sudo livekit-deploy credentials",
  );
});

testInProof.each([
  ["node", "token-server.ts"],
  ["python", "livekit_token.py"],
  ["go", "token.go"],
  ["ruby", "livekit_token.rb"],
  ["php", "livekit-token.php"],
  ["browser", "first-call.ts"],
  ["flutter", "first_call.dart"],
  ["swift", "FirstCall.swift"],
  ["kotlin", "FirstCall.kt"],
  ["unity", "FirstCall.cs"],
])(
  "the code for %s is the documentation's, with the customer's address",
  async (language, file) => {
    expect(languages).toContain(language);
    const html = await (await owner.request(`${base}?for=${language}`)).text();
    const sample = samples.find(({ label }) => label === file);
    const expected = sample?.code.trimEnd().replaceAll("livekit.example.com", "media.example.com");
    expect(box(html, file)).toBe(expected);
    if (language in clientLanguages) expect(box(html, file)).toContain("wss://media.example.com");
  },
);

testInProof("the languages are remembered, and each link keeps the other one", async () => {
  const person = new Visitor();
  await person.signInWithGoogle(email);
  const first = await (await person.request(base)).text();
  expect(first).toContain(`href="${base}?for=go&amp;for=browser"`);
  const chosen = await person.request(`${base}?for=go&for=swift`);
  expect(chosen.headers.get("cache-control")).toBe("private, no-store");
  const again = await (await person.request(base)).text();
  expect(box(again, "token.go")).toContain("package calls");
  expect(box(again, "FirstCall.swift")).toContain("import LiveKit");
});

testInProof("languages that there are not show Node and the browser", async () => {
  const person = new Visitor();
  await person.signInWithGoogle(email);
  const html = await (await person.request(`${base}?for=cobol&for=constructor`)).text();
  expect(box(html, "token-server.ts")).toContain("livekit-server-sdk");
  expect(box(html, "first-call.ts")).toContain("livekit-client");
});

test("nobody else sees the page", async () => {
  const stranger = new Visitor();
  expect((await stranger.request(base)).headers.get("location")).toContain("/signin");
  await stranger.signInWithGoogle("customer.two@example.com");
  expect((await stranger.request(base)).status).toBe(404);
});

test("only the test call may use the microphone and connect to the deployment's server, and to no other", async () => {
  const headersAt = async (path: string) => (await owner.request(path)).headers;
  const policyOf = (headers: Headers) =>
    headers
      .get("content-security-policy")
      ?.match(/connect-src ([^;]*)/)?.[1]
      ?.split(" ") ?? [];
  const call = await headersAt(base.replace("/connect", "/call"));
  const connect = await headersAt(base);
  // The other pages of the console are live, which that one is not.
  const servers = ["https://media.example.com", "wss://media.example.com"];
  expect(policyOf(call)).toEqual(["'self'", ...servers]);
  expect(policyOf(connect)).toEqual(["'self'", expect.stringMatching(/^ws:\/\/servers\./)]);
  expect(call.get("permissions-policy")).toContain("microphone=(self)");
  expect(call.get("permissions-policy")).toContain("camera=()");
  expect(connect.get("permissions-policy")).toContain("microphone=()");
  const stranger = new Visitor();
  await stranger.signInWithGoogle("customer.two@example.com");
  const refused = await stranger.request(base.replace("/connect", "/call"));
  expect(refused.status).toBe(404);
  expect(policyOf(refused.headers)).toEqual(["'self'"]);
  expect(refused.headers.get("permissions-policy")).toContain("microphone=()");
});
