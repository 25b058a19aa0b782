import { expect, test } from "vitest";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options.ts";
import { draftOver } from "~/features/deployments/draft/draft-options";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";

const key = `age1${"q".repeat(58)}`;

/** What the console asked further about each choice that /services shows by its label alone. */
const further = {
  turn: { mode: "manual", domain: "relay.example.net", udp: false, tls: true },
  firewall: {
    preset: "custom",
    rules: [{ protocol: "tcp", ports: "9200", source: "203.0.113.0/24" }],
  },
  sshSource: ["203.0.113.7/32"],
  recording: {
    kind: "s3",
    bucket: "recordings",
    region: "auto",
    endpoint: "https://s3.example.com",
    forcePathStyle: true,
  },
  backups: {
    frequency: "daily",
    ageRecipient: key,
    target: { kind: "azure", account: "account", container: "backups" },
  },
};
const base = optionsFrom({ domain: "livekit.example.com", provider: "azure", ...further });

test.each([
  ["turn", { turnConfig: "Manual" }],
  ["firewall", { firewallPreset: "Custom" }],
  ["recording", { recordingStorage: "S3" }],
  ["backups", { updateSchedule: "Weekly", backupFrequency: "Daily" }],
] as const)(
  "the same label on /services keeps what the console asked about %s",
  (option, draft) => {
    const { candidate, open } = draftOver(draft, base);
    expect(open).toEqual([]);
    expect(parseOptions(candidate).options?.[option]).toEqual(further[option]);
  },
);

test("another label on /services replaces the choice, and backups keep their key", () => {
  const draft = {
    turnConfig: "Auto",
    firewallPreset: "Standard",
    recordingStorage: "Local",
    backupFrequency: "Monthly",
  } as const;
  expect(parseOptions(draftOver(draft, base).candidate).options).toMatchObject({
    turn: { mode: "auto" },
    firewall: { preset: "standard" },
    recording: { kind: "local" },
    backups: { frequency: "monthly", ageRecipient: key },
  });
});
