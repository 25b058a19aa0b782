import { expect, test } from "vitest";
import { machineCommands } from "~/features/deployments/bundle/machine-commands.ts";
import { providerIds } from "~/features/deployments/bundle/providers.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";

const withScript = providerIds.filter((provider) => provider !== "other");

/** With a role of the machine the scripts of AWS and Google Cloud ask for one more variable. */
const cases = withScript.flatMap((provider) => [
  optionsFrom({ provider, domain: "live.example.com" }),
  ...(provider === "aws" || provider === "google-cloud"
    ? [
        optionsFrom({
          provider,
          domain: "live.example.com",
          recording:
            provider === "aws"
              ? { kind: "s3", bucket: "calls", region: "eu-west-1" }
              : { kind: "gcs", bucket: "calls" },
        }),
      ]
    : []),
]);

test.each(cases)(
  "the command for $provider sets every variable without which create-vm.sh stops",
  (options) => {
    const script = textOf(bundle(options), "create-vm.sh");
    const needed = [...script.matchAll(/\bneed ([A-Z_]+) /g)].map(([, name]) => name);
    const { create } = machineCommands(options);
    for (const name of needed) expect(create).toMatch(new RegExp(`(^| )${name}=\\S`));
    expect(create).toMatch(/ sh create-vm\.sh$/);
  },
);

test.each(providerIds)(
  "the README for %s has the command and the ssh line, and explains each word to replace",
  (provider) => {
    const options = optionsFrom({ provider, domain: "live.example.com" });
    const { create, placeholders, login } = machineCommands(options);
    const readme = textOf(bundle(options), "README.md");
    expect(readme).toContain(login());
    if (create) expect(readme).toContain(`\`${create}\``);
    expect(readme).not.toContain("`sh create-vm.sh`");
    for (const { word, meaning, list } of placeholders) {
      expect(readme).toContain(`${word} is ${meaning}${list ? `: \`${list}\`` : ""}.`);
    }

    const words = `${create} ${login()}`.match(/\bMY_[A-Z]+\b/g) ?? [];
    expect(new Set(placeholders.map(({ word }) => word))).toEqual(new Set(words));
    expect(readme.indexOf("create-vm.sh")).toBeLessThan(
      create ? readme.indexOf("Set the DNS records below") : Number.POSITIVE_INFINITY,
    );
  },
);

test.each([
  ["aws", {}, "ssh -i ~/.ssh/MY_KEY.pem ubuntu@198.41.0.4"],
  ["aws", { system: "amazon-linux-2023" }, "ssh -i ~/.ssh/MY_KEY.pem ec2-user@198.41.0.4"],
  ["azure", {}, "ssh -i ~/.ssh/id_ed25519 ubuntu@198.41.0.4"],
  ["digital-ocean", {}, "ssh -i ~/.ssh/id_ed25519 root@198.41.0.4"],
  ["google-cloud", {}, "gcloud compute ssh livekit-live-example-com --zone=us-east1-b"],
  ["hetzner", {}, "ssh -i ~/.ssh/id_ed25519 root@198.41.0.4"],
  ["ovh", {}, "ssh -i ~/.ssh/id_ed25519 ubuntu@198.41.0.4"],
  ["vultr", {}, "ssh -i ~/.ssh/id_ed25519 root@198.41.0.4"],
  ["linode", {}, "ssh -i ~/.ssh/id_ed25519 root@198.41.0.4"],
  ["oracle", {}, "ssh -i ~/.ssh/id_ed25519 ubuntu@198.41.0.4"],
])("at %s with %o one logs in with %s", (provider, more, line) => {
  const options = optionsFrom({ provider, domain: "live.example.com", ...more });
  expect(machineCommands(options).login("198.41.0.4")).toBe(line);
});
