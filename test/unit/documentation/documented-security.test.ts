import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { at } from "../../support/deployments/bundle-checks.ts";
import { runningMachine } from "../../support/deployments/machine.ts";
import { deploymentOfThePages } from "../../support/documentation/documented-deployment.ts";
import { pageText } from "../../support/documentation/samples.ts";

const page = pageText("security");

function made(path: string, answers: Record<string, unknown>): string {
  const { files } = bundle(optionsFrom({ domain: "livekit.example.com", ...answers }));
  return files.find((file) => file.path === path)?.content ?? "";
}

test("who may ask the metadata service is who the security page says", () => {
  const mayAsk = (answers: Record<string, unknown>) =>
    /169\.254\.169\.254.*skuid != (.*) reject/.exec(made("firewall.nft", answers))?.[1] ?? "all";
  const s3 = { kind: "s3", bucket: "rec", region: "eu-west-1" };
  expect(page).toContain(
    "With recording or an agent, and from the level *High* on, the firewall lets only root ask it; otherwise every program on the machine may.",
  );
  expect(mayAsk({})).toBe("all");
  expect(mayAsk({ recording: { kind: "local" } })).toBe("0");
  expect(mayAsk({ agent: deploymentOfThePages.agent })).toBe("0");
  expect(mayAsk({ security: "high" })).toBe("0");
  expect(page).toContain("Where Egress uploads with the machine's role, its user may ask too");
  expect(mayAsk({ provider: "aws", recording: s3 })).toBe("{ 0, 1001 }");
  expect(mayAsk({ provider: "hetzner", recording: s3 })).toBe("0");
});

test("every file of secrets on the machine is one that the security page names", () => {
  const target = { kind: "s3", bucket: "backups", region: "eu-west-1" };
  using server = runningMachine({
    ...deploymentOfThePages,
    provider: "hetzner",
    backups: { frequency: "daily", target },
  });
  server.run("livekit-deploy", ["set", "backup-keys"], "key\nsecret\n");
  const closed = readdirSync(server.path("opt/livekit"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".env") && server.mode(`opt/livekit/${name}`) === "600")
    .sort();
  expect(closed).toEqual(["agent.env", "backup-keys.env", "secrets.env", "state/agent-key.env"]);
  for (const name of closed) expect(page).toContain(`\`${name}\``);
});

test("with High all containers are read-only but those that the security page excepts", () => {
  const answers = { ...deploymentOfThePages, security: "high" };
  const services = Object.entries(
    at(parse(made("docker-compose.yaml", answers)), "services") ?? {},
  );
  const writable = services.filter(([, service]) => at(service, "read_only") !== true);
  expect(page).toContain("Egress and an agent keep a writable file system.");
  expect(writable.map(([name]) => name).sort()).toEqual(["agent", "egress"]);
  for (const [name, service] of services) expect(at(service, "cap_drop"), name).toEqual(["ALL"]);
});
