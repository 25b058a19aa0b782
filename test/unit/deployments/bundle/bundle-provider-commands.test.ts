import { expect, test, vi } from "vitest";
import { resourceName } from "~/features/deployments/bundle/files/providers/rules.ts";
import { optionsFrom } from "../../../support/deployments/bundle-cases.ts";
import { providerAccount, unpacked } from "../../../support/deployments/provider-account.ts";
import {
  addressesOf,
  commandLines,
  providers,
  unknownFlags,
} from "../../../support/deployments/provider-command-lines.ts";
import { sample } from "../../../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const accounts = providers.flatMap((provider) =>
  addressesOf(provider).map((addresses) => ({ provider, addresses })),
);

test.each(sample(accounts, 7))(
  "create-vm.sh makes a machine at $provider with $addresses addresses, once, and says which records to set",
  ({ provider, addresses }) => {
    // Small enough for each: what is too large has tests of its own.
    using customer = providerAccount(provider, addresses, "#cloud-config\n{}\n");
    const { creates } = commandLines[provider];
    const first = customer.run();
    const address = addresses === "ipv6" ? "2001:db8::5" : "203.0.113.5";
    expect(first.output).toContain(`The machine runs at ${address}.`);
    for (const name of ["livekit.example.com", "turn.livekit.example.com"]) {
      expect(first.output.includes(`  ${name}  A  203.0.113.5\n`)).toBe(addresses !== "ipv6");
      expect(first.output.includes(`  ${name}  AAAA  2001:db8::5\n`)).toBe(addresses !== "ipv4");
    }
    expect(first.status).toBe(0);
    expect(first.calls).toContain(creates);
    expect(unknownFlags(provider, first.calls)).toEqual([]);
    expect(unpacked(customer.read(customer.has("in-bucket") ? "in-bucket" : "sent"))).toBe(
      customer.userData,
    );
    customer.set("exists");
    const second = customer.run();
    expect(second.output).toContain(address);
    expect([second.status, second.calls.includes(creates)]).toEqual([0, false]);
    expect(unknownFlags(provider, second.calls)).toEqual([]);
  },
);

test("no machine stands in Google's default network, which lets everybody in by SSH and RDP", () => {
  for (const addresses of ["dual", "ipv4"]) {
    using customer = providerAccount("google-cloud", addresses);
    const { status, calls } = customer.run();
    expect(status).toBe(0);
    expect(customer.has("in-default-network")).toBe(false);
    expect(calls).not.toContain("--network=default");
  }
});

test("two domains never share what create-vm.sh makes", () => {
  const long = "a".repeat(50);
  const names = [
    "a-b.example.com",
    "a.b.example.com",
    `${long}.example.com`,
    `${long}.example.org`,
  ].map((domain) => resourceName(optionsFrom({ domain })));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^livekit-[a-z0-9-]{1,42}$/);
  expect(resourceName(optionsFrom({ domain: "rtc.example.com" }))).toBe("livekit-rtc-example-com");
});

test.each(sample(providers, 3))(
  "create-vm.sh makes no machine at %s behind a firewall that was refused",
  (provider) => {
    using customer = providerAccount(provider);
    customer.set("refused");
    const { status, calls } = customer.run();
    expect(status).not.toBe(0);
    expect(calls).not.toContain(commandLines[provider].creates);
  },
);

test("create-vm.sh asks for what it needs before it creates anything", () => {
  for (const provider of sample(
    providers.filter((one) => one !== "google-cloud"),
    3,
  )) {
    using customer = providerAccount(provider);
    const { status, output, calls } = customer.run({});
    expect([status, calls], provider).toEqual([64, ""]);
    expect(output).toMatch(/^Set (KEY_NAME|SSH_KEY|COMPARTMENT) first: /m);
  }
});
