import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import home from "~/content/home.json" with { type: "json" };
import services from "~/content/services.json" with { type: "json" };
import type { Bundle } from "~/features/deployments/bundle/bundle-types.ts";
import { findings, outsideFindings } from "~/features/deployments/bundle/findings.ts";
import { providers } from "~/features/deployments/bundle/provider-table.ts";
import { imageOf, pinned } from "~/features/deployments/bundle/versions.ts";
import { questionsByStep } from "~/features/deployments/wizard/questions.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { at } from "../../../support/deployments/bundle-checks.ts";
import { tableOf } from "../../../support/documentation/tables.ts";

// What the pages show for livekit.example.com is what is made for it.
const usual = bundle(optionsFrom({ domain: "livekit.example.com" }));
const everything = bundle(
  optionsFrom({
    domain: "livekit.example.com",
    ingress: "both",
    recording: { kind: "local" },
    updates: "weekly",
    backups: { frequency: "daily" },
  }),
);

function text({ files }: Bundle, path: string): string {
  return files.find((file) => file.path === path)?.content ?? "";
}

function portsOf({ ports }: Bundle, audience: string): string[] {
  return ports
    .filter((port) => port.audience === audience)
    .map(({ ports: number, protocol }) => `${number}/${protocol}`);
}

function exhibit(kind: keyof typeof services) {
  const { rows } = services[kind].exhibit;
  return rows.map((row) => [row.term, "codes" in row ? [...row.codes] : []] as const);
}

/** `port` with its protocol, of every public port. */
const open = [...portsOf(everything, "public")].sort();

test("the wizard says of backups what is kept and what is tried, as the files do", () => {
  const questions = JSON.stringify(questionsByStep.management);
  expect(text(everything, "deployment.env")).toContain("BACKUP_KEEP='7,5,6'\n");
  expect(questions).toContain("The newest of 7 days, 5 weeks and 6 months are kept.");
  expect(questions).not.toMatch(/The last \d+ are kept/);
  expect(questions).toContain("of an encrypted one only the checksum is compared");
});

test("the hero shows lines of the real file, in their order, and files that are made", () => {
  const { domain, files, shown, lines } = home.heroDeployment;
  const made = bundle(optionsFrom({ domain }));
  const real = text(made, shown).split("\n");
  const positions = lines.map(([key, value]) => real.indexOf(`${key}:${value && ` ${value}`}`));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((one, other) => one - other));
  for (const file of files) expect(made.files.map(({ path }) => path)).toContain(file);
  expect(
    home.ports.map(({ port, protocol }) => `${port}/${protocol.toLowerCase()}`).sort(),
  ).toEqual(open);
});

test("the six services show regions, routes, ports and scripts as they are", () => {
  for (const [label, regions] of exhibit("deployment")) {
    const provider = Object.values(providers).find((one) => one.label === label);
    expect(regions, label).toEqual(Object.values(provider?.regions ?? {}));
  }
  const routes = at(parse(text(everything, "caddy.yaml")), "apps.layer4.servers.main.routes");
  expect(exhibit("security")).toEqual(
    (Array.isArray(routes) ? routes : []).map((route) => [
      at(route, "match.0.tls.sni.0"),
      at(route, "handle.1.upstreams.0.dial"),
    ]),
  );
  expect(exhibit("server").map(([port]) => port)).toEqual(portsOf(usual, "public"));
  const closed = portsOf(everything, "internal");
  for (const [port] of exhibit("security-advanced"))
    if (port !== "2019/tcp") expect(closed).toContain(port);
  expect(at(parse(text(usual, "caddy.yaml")), "admin.disabled")).toBe(true);
  const [rtmp, whip] = exhibit("features");
  expect(open).toEqual(expect.arrayContaining([...(rtmp?.[1] ?? []), ...(whip?.[1] ?? [])]));
  for (const [script] of exhibit("management"))
    expect(everything.files.map(({ path }) => path)).toContain(script);
});

test("the documentation names the images, ports, names and machines that are made", () => {
  expect(
    tableOf("docs/guide", "Services and versions").map(([name, image]) => [name, image]),
  ).toEqual([
    ...(["livekit", "caddy", "redis", "egress", "ingress", "sip"] as const).map((name) => [
      name,
      imageOf(name, pinned[name].tag),
    ]),
    ["agent", "your own image"],
  ]);
  for (const [page, title] of [
    ["docs/guide", "Ports to open"],
    ["docs/getting-started", "Inbound rules"],
    ["blog/ports-and-firewalls", "Inbound rules of a LiveKit server"],
  ] as const)
    expect(
      tableOf(page, title)
        .map(([port = ""]) => port)
        .sort(),
      page,
    ).toEqual(open);
  const names = everything.dnsRecords.map(({ name }) => name);
  expect(tableOf("docs/guide", "Who answers on port 443").map(([name]) => name)).toEqual(names);
  expect(tableOf("docs/getting-started", "DNS records").map(([name]) => name)).toEqual(names);
  const rows = (title: string) => tableOf("docs/getting-started", title);
  const page = readFileSync("app/content/docs/getting-started.md", "utf8");
  // A long name is in a variable of the command's, so that each line fits.
  const [, ubuntuVariable = ""] = /^ubuntu=(\S+)$/m.exec(page) ?? [];
  const commands = page.replaceAll("$ubuntu", ubuntuVariable);
  for (const [id, { label, sizes, regions, ubuntu, userDataLimit }] of Object.entries(providers)) {
    if (id === "other") continue;
    const row = (title: string) => rows(title).find(([name]) => name === label) ?? [];
    expect(row("Sizes by provider").slice(1), label).toEqual(
      Object.values(sizes).map(({ name }) => name),
    );
    expect(row("Regions by provider").slice(1), label).toEqual(Object.values(regions));
    const [, limit = "", image] = row("Limits of user data");
    const [, number = "", kilo] = /^([\d,]+) (Ki?B)?/.exec(limit) ?? [];
    expect(Number(number.replace(",", "")) * (kilo ? 1024 : 1), label).toBe(userDataLimit);
    if (id !== "aws") expect(image, label).toContain(ubuntu);
    expect(commands).toContain(ubuntu);
  }
});

test("every code of a finding that the documentation names exists", () => {
  const codes = Object.keys({ ...findings, ...outsideFindings });
  const kinds = new Set(codes.map((code) => code.split(".")[0]));
  // The codes of the audit are its own, and who moves in reads keys of livekit.yaml.
  const pages = globSync("app/content/docs/*.md").filter(
    (file) => !/\/(audit|move-in)\.md$/.test(file),
  );
  const named = pages.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/`([a-z]+)\.([a-z.]+)`/g)]
      .filter(
        ([, kind = "", rest = ""]) =>
          kinds.has(kind) && !/example|^(yaml|json|env|log|txt|conf)$/.test(rest),
      )
      .map(([code]) => code.slice(1, -1)),
  );
  expect(named.length).toBeGreaterThan(15);
  for (const code of named) expect(codes).toContain(code);
});

test("every command that the documentation runs on the machine exists there", () => {
  const usage = text(usual, "livekit-deploy");
  // The program for CI has the same name, and commands of its own.
  const pages = globSync("app/content/docs/*.md").filter((page) => !/command-line/.test(page));
  for (const page of pages) {
    const words = readFileSync(page, "utf8");
    for (const [, command] of words.matchAll(/livekit-deploy ([a-z-]+)/g))
      expect(usage).toMatch(new RegExp(`^\\s*([a-z-]+ \\| )*${command}( \\| [a-z-]+)*\\)`, "m"));
  }
});
