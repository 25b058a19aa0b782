import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { docsPages } from "~/content/reading.ts";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { port } from "~/features/deployments/bundle/ports.ts";
import { imageOf, pinned } from "~/features/deployments/bundle/versions.ts";
import { questionsByStep } from "~/features/deployments/wizard/questions.ts";
import { wordsOfStep } from "~/features/deployments/wizard/steps.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { defaultOptions, optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { at } from "../../support/deployments/bundle-checks.ts";
import { pageText, sampleCode } from "../../support/documentation/samples.ts";
import { verifiedNames } from "../../support/documentation/verified-names.ts";

const domain = "livekit.example.com";
const pages = docsPages.map(({ to }) => to.slice("/docs/".length) || "overview");

/** What is made of these answers, by its file. */
function made(answers: Record<string, unknown>) {
  const { files, ports } = bundle(optionsFrom({ domain, ...answers }));
  const content = (path: string) => files.find((file) => file.path === path)?.content ?? "";
  return { content, ports };
}

/** The ports that a table of the page begins its rows with. */
const portsIn = (page: string) =>
  [...pageText(page).matchAll(/^\| `([\d-]+\/(?:tcp|udp))/gm)].map(([, number]) => number).sort();

test("the ways for media are the ports that are open, but for that of certificates", () => {
  const open = made({})
    .ports.filter(({ audience }) => audience === "public")
    .map(({ ports, protocol }) => `${ports}/${protocol}`);
  expect(portsIn("connect")).toEqual(open.filter((each) => each !== "80/tcp").sort());
});

test("the pages name the wait of a stop that a new deployment begins with", () => {
  const wait = `${defaultOptions.drain.minutes} minutes`;
  expect(pageText("connect")).toContain(`After ${wait} of waiting, unless you set another time`);
  expect(pageText("tokens")).toContain(`${wait} at most unless you set another time`);
});

test("the pages were checked with the version of LiveKit that a new deployment runs", () => {
  const named = pages.flatMap((page) =>
    [...pageText(page).matchAll(/^Checked with .*LiveKit (v[\d.]+)\.$/gm)].map(([, tag]) => tag),
  );
  expect(named.length).toBeGreaterThan(3);
  expect([...new Set(named)]).toEqual([pinned.livekit.tag]);
});

const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const client = String(at(dependencies, "livekit-client"));
const server = String(at(devDependencies, "livekit-server-sdk"));

test.each([
  ["connect-web", `Package: \`livekit-client\` ${client} from npm`],
  ["connect-web", `npm install livekit-client@${client}\n`],
  ["connect-web", `Checked with livekit-client ${client} and`],
  ["tokens", `Package \`livekit-server-sdk\` ${server}.`],
  ["webhooks", `Checked with livekit-server-sdk ${server},`],
  ["agents", `livekit-server-sdk ${server} and`],
  ["sip", `livekit-server-sdk ${server}.`],
])("the page %s names the version that its samples are compiled with: %s", (page, words) => {
  expect(pageText(page)).toContain(words);
});

test("the table of client libraries has the package and the version of each platform's page", () => {
  const rows = [...pageText("connect").matchAll(/^\| .*\(\/docs\/connect-\w+\) +\|$/gm)].map(
    ([row]) => row.split("|").map((cell) => cell.trim()),
  );
  const verified = verifiedNames.filter(({ page }) => page.startsWith("connect-"));
  expect(rows.map(([, , name, version, link]) => [name, version, link])).toEqual([
    ["`livekit-client` (npm)", client, "[Web](/docs/connect-web)"],
    ...verified.map(({ page, package: name, version }) => [
      `\`${name}\``,
      version,
      expect.stringContaining(`(/docs/${page})`),
    ]),
  ]);
});

test("the page about SIP has the ports, the image and the configuration of the bundle", () => {
  const { content, ports } = made({ sip: { kind: "on", sources: ["203.0.113.0/24"] } });
  const sipPorts = ports.filter(
    ({ service, audience }) => service === "sip" && audience === "public",
  );
  expect(portsIn("sip")).toEqual(sipPorts.map((each) => `${each.ports}/${each.protocol}`).sort());
  expect(sipPorts.map(({ sources }) => sources)).toEqual(sipPorts.map(() => ["203.0.113.0/24"]));
  expect(pageText("sip")).toContain(`\`${imageOf("sip", pinned.sip.tag)}\``);
  expect(pageText("sip")).toContain(`Checked with livekit/sip ${pinned.sip.tag}`);
  expect(parse(sampleCode("sip", "sip.yaml"))).toEqual(parse(content("sip.yaml")));
});

test("the page about webhooks has what the bundle writes, and what the wizard takes", () => {
  const url = "https://app.example.com/livekit/events";
  const written: unknown = parse(made({ webhooks: [url] }).content("livekit.yaml"));
  const sample: unknown = parse(sampleCode("webhooks", "livekit.yaml"));
  expect(at(sample, "webhook")).toEqual(at(written, "webhook"));
  const isAccepted = (webhooks: string[]) =>
    parseOptions({ domain, email: "you@example.com", webhooks }).problems === undefined;
  expect(isAccepted(Array(5).fill(url))).toBe(true);
  expect(isAccepted(Array(6).fill(url))).toBe(false);
  expect(isAccepted(["http://app.example.com/livekit/events"])).toBe(false);
  expect(pageText("webhooks")).toContain("up to five addresses, one on each line, each `https://`");
});

test("the page about agents says what their container gets, and how long it has to stop", () => {
  const image = "registry.example.com/team/agent:1.4.2";
  const { content, ports } = made({ agent: { kind: "image", image } });
  const service = at(parse(content("docker-compose.yaml")), "services.agent");
  expect(at(service, "stop_grace_period")).toBe("2m");
  expect(pageText("agents")).toContain("end within two minutes");
  expect(at(service, "env_file")).toEqual(["state/agent-key.env", "agent.env"]);
  expect(pageText("agents")).toContain("`/opt/livekit/agent.env`");
  const health = ports.find((each) => each.service === "agent");
  expect(health).toMatchObject({ ports: String(port.agentHealth), audience: "internal" });
  expect(pageText("agents")).toContain(`Its health port, \`${port.agentHealth}\`, is closed`);
});

test.each([
  ["webhooks", ["Webhooks"]],
  ["sip", ["Telephone calls by SIP", "SIP", "SIP from"]],
  ["agents", ["Agent worker", "My image"]],
])("the page %s names the step and the fields of the wizard as they are", (page, fields) => {
  const words = JSON.stringify(questionsByStep.features);
  expect(pageText(page)).toContain(`step *${wordsOfStep("features").title}*`);
  for (const field of fields) {
    expect(words).toContain(`"label":"${field}"`);
    expect(pageText(page)).toContain(`*${field}*`);
  }
});
