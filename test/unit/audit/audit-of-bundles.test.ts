import { expect, test } from "vitest";
import { audit } from "../../../app/features/audit/audit.ts";
import { bundle } from "../../support/deployments/bundle.ts";
import { pairwiseOptions } from "../../support/deployments/bundle-cases.ts";

/** What somebody chooses in the wizard with open eyes: few tracks, TURN without TLS, old versions. */
const chosen = ["image.attackable", "image.old", "limit.tracks.few", "turn.tls.off"];

test("the audit knows our own files, and finds nothing in them but what their owner chose", () => {
  const kinds = new Set<string>();
  const codes = new Set<string>();
  for (const options of pairwiseOptions(40)) {
    const files = bundle(options)
      .files.filter(({ installed, path }) => installed && /\.(yaml|conf)$/.test(path))
      .map(({ path, content }) => ({ name: path, text: content }));
    const report = audit(files);
    for (const { name, kind } of report.files) kinds.add(`${name} ${kind}`);
    for (const { code } of report.findings) codes.add(code);
  }
  expect([...kinds].sort()).toEqual([
    ...["caddy.yaml caddy", "docker-compose.yaml compose", "egress.yaml egress"],
    ...["ingress.yaml ingress", "livekit.yaml livekit", "redis.conf redis", "sip.yaml sip"],
    "sysctl.conf sysctl",
  ]);
  expect([...codes].filter((code) => !chosen.includes(code))).toEqual([]);
});
