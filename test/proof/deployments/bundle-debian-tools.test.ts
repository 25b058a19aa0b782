import { expect, test } from "vitest";
import { complaints, everything, filesOf } from "../../support/deployments/bundle-examinations.ts";

const others: Record<string, Record<string, unknown>> = {
  "IPv6 only at Hetzner": {
    ...everything,
    provider: "hetzner",
    addresses: "ipv6",
    sip: { kind: "none" },
    sshSource: ["2001:db8::1"],
  },
  "OVHcloud in a region of its own": { provider: "ovh", region: "BHS5" },
  "Vultr with IPv6": { provider: "vultr", addresses: "dual" },
  "Linode with rules of one's own": { ...everything, provider: "linode" },
  "Oracle with ARM and IPv6": { provider: "oracle", addresses: "dual", architecture: "arm64" },
  "another machine": { provider: "other" },
  "Digital Ocean with an external Redis": {
    provider: "digital-ocean",
    addresses: "dual",
    backups: { frequency: "daily" },
    redis: { kind: "external", address: "redis.example.net:6379" },
  },
};

test.each(Object.entries(others))("Debian's tools accept every file of: %s", (_, typed) => {
  expect(complaints(filesOf(typed))).toEqual([]);
});
