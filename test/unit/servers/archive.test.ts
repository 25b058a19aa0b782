import { expect, test } from "vitest";
import { archiveHash, archiveOf } from "~/features/deployments/bundle/archive.ts";
import { writtenFiles } from "~/features/deployments/bundle/files/cloud-init.ts";
import { makeArchive, withKnownBad } from "~/features/servers/ingest/archive.server.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { textOf } from "../../support/deployments/bundle-checks.ts";
import { token } from "../../support/deployments/console-machine.ts";

const options = optionsFrom({ domain: "livekit.example.com" });
const url = "https://servers.example.com";
const deployment = "44444444-4444-4444-8444-444444444444";
const connection = { url, token, version: { deployment, number: 12 } };

/** The hash that stands in user data which was made with this table. */
const hashOf = (given: Parameters<typeof bundle>[2]) =>
  archiveHash(archiveOf(writtenFiles(options, bundle(options, undefined, given).files)));

test("an archive is made again after a release of ours that knows of more advisories", () => {
  const inputs = withKnownBad({ options, version: 12, url });
  const [, today = ""] =
    /^KNOWN_BAD='(.*)'$/m.exec(textOf(bundle(options, undefined, connection), "deployment.env")) ??
    [];
  expect(inputs.knownBad).toBe(today);
  expect(makeArchive(inputs, deployment, token, hashOf(connection))).toBeDefined();

  const [, ...fewer] = today.split(",");
  const before = { ...inputs, knownBad: fewer.join() };
  const wanted = hashOf({ ...connection, knownBad: before.knownBad });
  expect(wanted).not.toBe(hashOf(connection));
  expect(makeArchive(before, deployment, token, wanted)).toBeDefined();
  expect(makeArchive(inputs, deployment, token, wanted)).toBeUndefined();
});
