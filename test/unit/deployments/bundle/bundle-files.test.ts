import { createHash } from "node:crypto";
import { unzipSync } from "fflate";
import { expect, test, vi } from "vitest";
import type { BundleFile } from "~/features/deployments/bundle/bundle-types.ts";
import type { DeploymentOptions } from "~/features/deployments/bundle/options/options.ts";
import { zipOf } from "~/features/deployments/bundle/zip.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import {
  answers,
  optionsFrom,
  pairwiseOptions,
} from "../../../support/deployments/bundle-cases.ts";
import {
  caddyProblems,
  composeProblems,
  portProblems,
  unknownKeys,
  yamlProblems,
} from "../../../support/deployments/bundle-checks.ts";
import { amount } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const least = amount({ inTest: 100, inProof: 200 });
const combinations = pairwiseOptions(least);
const bundles = combinations.map((options) => ({ options, made: bundle(options) }));

/** Every different text of a file, or of all files in a language: combinations share most of them. */
function texts(isSelected: (file: BundleFile) => boolean): Set<string> {
  return new Set(
    bundles.flatMap(({ made }) => made.files.filter(isSelected).map(({ content }) => content)),
  );
}

function content(options: DeploymentOptions, path: string): string {
  return bundle(options).files.find((file) => file.path === path)?.content ?? "";
}

const usual = optionsFrom({ domain: "livekit.example.com" });

test("M12: no configuration says localhost, which a hosts file may make ::1", () => {
  for (const text of texts(({ language }) => ["yaml", "conf", "env"].includes(language)))
    expect(text).not.toMatch(/\blocalhost\b/);
});

test("at least a hundred bundles, or two hundred, bring every two answers together", () => {
  expect(combinations.length).toBeGreaterThanOrEqual(least);
});

test("every YAML file of every combination reads the same in YAML 1.1 and 1.2", () => {
  for (const text of texts(({ language }) => language === "yaml"))
    expect(yamlProblems(text), text).toEqual([]);
});

test("every Compose file satisfies the Compose Specification", () => {
  for (const text of texts(({ path }) => path === "docker-compose.yaml"))
    expect(composeProblems(text), text).toEqual([]);
});

test("LiveKit, Egress, Ingress and SIP know every key in the version that runs", () => {
  for (const { options, made } of bundles)
    for (const program of ["livekit", "egress", "ingress", "sip"] as const) {
      const text = made.files.find(({ path }) => path === `${program}.yaml`)?.content;
      if (text) expect(unknownKeys(program, options.versions[program], text)).toEqual([]);
    }
});

test("Caddy has a route and a certificate for every name, and its admin off", () => {
  for (const text of texts(({ path }) => path === "caddy.yaml"))
    expect(caddyProblems(text), text).toEqual([]);
});

test("the configuration, the scripts and the list name the same public ports", () => {
  for (const { made } of bundles) expect(portProblems(made)).toEqual([]);
});

test("each checker goes red when its file is spoiled", () => {
  const options = optionsFrom({
    domain: "livekit.example.com",
    ingress: "both",
    recording: { kind: "s3", bucket: "yes", region: "eu-west-1" },
  });
  const made = bundle(options);
  const spoiled = (path: string, from: string, to: string) => {
    const text = content(options, path);
    expect(text).toContain(from);
    return text.replace(from, to);
  };
  expect(yamlProblems(spoiled("egress.yaml", '"yes"', "yes"))).not.toEqual([]);
  expect(yamlProblems("at: 12:30:45\n")).not.toEqual([]);
  expect(composeProblems(spoiled("docker-compose.yaml", "restart:", "restarts:"))).not.toEqual([]);
  expect(
    unknownKeys("livekit", "v1.13.5", spoiled("livekit.yaml", "tcp_port", "tcp_prot")),
  ).toEqual(["rtc.tcp_prot"]);
  expect(unknownKeys("livekit", "v1.11.0", "turn:\n  ttl_seconds: 300\n")).toEqual([
    "turn.ttl_seconds",
  ]);
  expect(unknownKeys("egress", "v1.14.1", spoiled("egress.yaml", "bucket", "buckets"))).not.toEqual(
    [],
  );
  expect(
    unknownKeys("ingress", "v1.5.0", spoiled("ingress.yaml", "whip_port", "whip")),
  ).not.toEqual([]);
  expect(caddyProblems(spoiled("caddy.yaml", "127.0.0.1:5349", "127.0.0.1:7880"))).not.toEqual([]);
  expect(caddyProblems(spoiled("caddy.yaml", "127.0.0.1:5349", "localhost:5349"))).not.toEqual([]);
  expect(caddyProblems(spoiled("caddy.yaml", "disabled: true", "disabled: false"))).not.toEqual([]);
  expect(caddyProblems(spoiled("caddy.yaml", "email:", "mail:"))).toContain(
    "apps.tls.automation.policies.issuers.mail",
  );
  const without = { ...made, ports: made.ports.filter(({ ports }) => ports !== "3478") };
  expect(portProblems(without)).not.toEqual([]);
});

test("the same options make the same bytes, zip included", () => {
  for (const options of combinations.slice(0, 20)) {
    const [one, second] = [bundle(options), bundle(structuredClone(options))].map(({ files }) =>
      createHash("sha256").update(zipOf(files)).digest("hex"),
    );
    expect(one).toBe(second);
  }
});

test("every file unpacks from the zip as it was", () => {
  const { files } = bundle(usual);
  const unpacked = unzipSync(zipOf(files));
  expect(Object.keys(unpacked)).toEqual(files.map(({ path }) => `livekit/${path}`));
  for (const { path, content } of files)
    expect(new TextDecoder().decode(unpacked[`livekit/${path}`])).toBe(content);
});

test("no secret stands anywhere but in secrets.env", () => {
  const secrets = {
    apiKey: "APIabcdefghijkl",
    apiSecret: "s".repeat(43),
    redisPassword: "p".repeat(43),
    webhookSecret: "w".repeat(43),
  };
  const webhooks = ["https://hooks.example.com/livekit"];
  const { files } = bundle({ ...usual, webhooks, secrets: "browser" }, secrets);
  const holding = files.filter(({ content }) =>
    Object.values(secrets).some((secret) => content.includes(secret)),
  );
  // cloud-init.yaml carries every file to the machine, this one too.
  expect(holding.map(({ path }) => path).filter((path) => path !== "cloud-init.yaml")).toEqual([
    "secrets.env",
  ]);
  expect(holding.at(-1)?.installed?.mode).toBe("0600");
});

test("ports, DNS records and names follow the options", () => {
  const made = bundle(
    optionsFrom({
      domain: "münchen.example.com",
      ingress: "both",
      addresses: "dual",
      proxy: "existing",
    }),
  );
  expect(made.dnsRecords.map(({ shownName, type }) => `${shownName} ${type}`)).toEqual([
    "münchen.example.com A",
    "münchen.example.com AAAA",
    "turn.münchen.example.com A",
    "turn.münchen.example.com AAAA",
    "whip.münchen.example.com A",
    "whip.münchen.example.com AAAA",
  ]);
  const internal = made.ports.filter(({ audience }) => audience === "internal");
  expect(internal.map(({ ports }) => ports)).toEqual(
    expect.arrayContaining(["7880", "5349", "6379", "8080", "9090", "8443", "8081"]),
  );
  expect(internal.every(({ sources }) => sources.length === 0)).toBe(true);
});

test("every answer changes at least one file, warning or record", () => {
  for (const [question, given] of Object.entries(answers)) {
    const made = given.map((answer) => {
      const ssh = question === "firewall" ? {} : { sshSource: ["192.0.2.1"] };
      const { files, ports, dnsRecords } = bundle(
        optionsFrom({ domain: "livekit.example.com", updates: "weekly", ...ssh, ...answer }),
        undefined,
        { url: "https://servers.example.com" },
      );
      return JSON.stringify([files, ports, dnsRecords]);
    });
    expect(new Set(made).size, question).toBe(given.length);
  }
});

test("every name in deployment.env is read by a script", () => {
  for (const { made } of bundles) {
    const text = made.files.flatMap(({ path, content }) =>
      /^(livekit-deploy|.*\.sh|.*\.service)$/.test(path) && path !== "create-vm.sh"
        ? [content]
        : [],
    );
    const environment = made.files.find(({ path }) => path === "deployment.env")?.content ?? "";
    for (const [, name] of environment.matchAll(/^([A-Z_]+)=/gm))
      expect(
        text.some((script) => new RegExp(`\\$\\{?${name}\\b`).test(script)),
        name,
      ).toBe(true);
  }
});

test("sudo finds the command and age on every system", () => {
  const { files } = bundle(
    optionsFrom({ domain: "livekit.example.com", system: "amazon-linux-2023" }),
  );
  const command = files.find(({ path }) => path === "livekit-deploy");
  expect(command?.installed?.path).toBe("/usr/bin/livekit-deploy");
  for (const { path, content } of files) expect(content, path).not.toContain("/usr/local/bin");
});

test("a local recording whose path has no leading slash lands in the folder that the machine keeps", () => {
  const egressOf = (recording: object) => {
    const { files } = bundle(optionsFrom({ domain: "livekit.example.com", recording }));
    const text = (name: string) => files.find(({ path }) => path === name)?.content ?? "";
    return {
      service: text("docker-compose.yaml").split("\n  egress:\n")[1],
      readme: text("README.md"),
    };
  };
  const local = egressOf({ kind: "local" });
  expect(local.service).toContain('- "./out:/out"');
  expect(local.service).toContain("working_dir: /out\n");
  expect(local.readme).toContain('`"filepath": "{room_name}-{time}.mp4"`');
  expect(egressOf({ kind: "s3", bucket: "recordings", region: "eu-west-1" }).service).not.toContain(
    "working_dir",
  );
});

test.each([
  ["none", "None are made by themselves.", "Backups are made"],
  ["daily", "Backups are made daily at about", "None are made"],
])("the README says when backups are made: %s", (frequency, words, others) => {
  const text = content(
    optionsFrom({ domain: "livekit.example.com", backups: { frequency } }),
    "README.md",
  );
  expect(text).toContain(words);
  expect(text).not.toContain(others);
});
