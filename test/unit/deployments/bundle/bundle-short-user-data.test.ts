import { execFileSync } from "node:child_process";
import { expect, test, vi } from "vitest";
import { archiveOf } from "~/features/deployments/bundle/archive.ts";
import { bundle } from "../../../support/deployments/bundle.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { textOf } from "../../../support/deployments/bundle-checks.ts";
import { token } from "../../../support/deployments/console-machine.ts";
import { providerAccount, unpacked } from "../../../support/deployments/provider-account.ts";
import { providers } from "../../../support/deployments/provider-command-lines.ts";

vi.setConfig({ testTimeout: 60_000 });

const connection = {
  url: "https://servers.a-rather-long-name-of-a-console.example.com",
  token,
  version: { deployment: "44444444-4444-4444-8444-444444444444", number: 12 },
};
const usual = { domain: "livekit.example.com" };

test("M5: the short user data reaches every provider as it is, in at most 1,024 bytes", () => {
  for (const provider of providers) {
    const made = bundle(optionsFrom({ ...usual, provider }), undefined, connection);
    const userData = textOf(made, "user-data.py");
    using customer = providerAccount(provider, undefined, userData);
    expect(customer.run().status, provider).toBe(0);
    expect(unpacked(customer.read("sent")), provider).toBe(userData);
    expect(customer.read("sent").length, provider).toBeLessThanOrEqual(1_024);
  }
});

test("only a bundle with a token and a version has short user data, and none whose secrets a browser makes", () => {
  const has = (typed: Record<string, unknown>, given: Partial<typeof connection>) =>
    bundle(optionsFrom({ ...usual, ...typed }), undefined, {
      url: connection.url,
      ...given,
    }).files.some(({ path }) => path === "user-data.py");
  const { version } = connection;
  expect(has({}, { token, version })).toBe(true);
  expect(has({}, { version })).toBe(false);
  expect(has({}, { token })).toBe(false);
  expect(has({ secrets: "browser" }, { token, version })).toBe(false);
});

test("the archive is the same whenever it is made, and tar lists its files with their modes", () => {
  const files = [
    { path: "/opt/livekit/bin/a.sh", mode: "0755", content: "#!/bin/sh\n" },
    { path: "/opt/livekit/enrolment-token", mode: "0600", content: "ü\n".repeat(400) },
    { path: "/etc/empty", mode: "0644", content: "" },
  ];
  const archive = archiveOf(files);
  expect(Buffer.from(archiveOf(files)).equals(archive)).toBe(true);
  const listed = execFileSync("tar", ["-tvzf", "-"], { input: archive, encoding: "utf8" });
  expect(
    listed
      .trim()
      .split("\n")
      .map((line) => line.split(/\s+/).filter((_, at) => [0, 1, 2, 5].includes(at))),
  ).toEqual([
    ["-rwxr-xr-x", "root/root", "10", "opt/livekit/bin/a.sh"],
    ["-rw-------", "root/root", "1200", "opt/livekit/enrolment-token"],
    ["-rw-r--r--", "root/root", "0", "etc/empty"],
  ]);
  expect(() => archiveOf([{ path: `/${"a".repeat(101)}`, mode: "0644", content: "" }])).toThrow(
    "too long",
  );
});
