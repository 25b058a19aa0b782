import { expect, test } from "vitest";
import { isPublicAddress } from "../../../../app/features/servers/channels/public-address.ts";
import { checkWebhookAddress } from "../../../../app/features/servers/channels/webhook-address.ts";

const rules = { siteUrl: "https://www.livekit-deploy.example.com" };

test.each([
  ["unspecified", "0.0.0.0"],
  ["private", "10.1.2.3"],
  ["shared by a provider", "100.64.0.1"],
  ["shared by a provider, the last one", "100.127.255.254"],
  ["loopback", "127.8.8.8"],
  ["link-local, where clouds keep their metadata", "169.254.169.254"],
  ["private", "172.16.0.1"],
  ["private, the last one", "172.31.255.254"],
  ["for protocols", "192.0.0.8"],
  ["for documents", "192.0.2.1"],
  ["the former relay of IPv6", "192.88.99.1"],
  ["private", "192.168.1.1"],
  ["for measurements", "198.19.0.1"],
  ["for documents", "198.51.100.9"],
  ["for documents", "203.0.113.9"],
  ["multicast", "224.0.0.251"],
  ["reserved", "240.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["unspecified", "::"],
  ["loopback", "::1"],
  ["an IPv4 address in IPv6", "::ffff:10.0.0.1"],
  ["an IPv4 address in IPv6, in hexadecimal", "::ffff:a00:1"],
  ["an IPv4 address behind NAT64", "64:ff9b::a00:1"],
  ["unique local", "fc00::1"],
  ["unique local", "fd12:3456::1"],
  ["link-local", "fe80::1"],
  ["multicast", "ff02::1"],
  ["Teredo", "2001:0:1::1"],
  ["for documents", "2001:db8::1"],
  ["for documents", "3fff::1"],
  ["6to4, which holds an IPv4 address", "2002:a00:1::1"],
  ["no address", "hooks.example.com"],
  ["no address", ""],
])("an address that is %s is not of the public internet: %s", (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["1.1.1.1", "100.63.255.255", "172.32.0.1", "223.255.255.254", "2606:4700::1111"])(
  "%s is of the public internet",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  ["", /whole address/],
  ["hooks.example.com/x", /whole address/],
  ["http://hooks.example.com/x", /must begin with https/],
  ["ftp://hooks.example.com/x", /must begin with https/],
  ["https://user:pass@hooks.example.com/x", /without a user name/],
  ["https://hooks.example.com:8443/x", /Leave the port out/],
  ["https://hooks.example.com/x#part", /begins with #/],
  ["https://127.0.0.1/x", /IP address/],
  ["https://2130706433/x", /IP address/],
  ["https://0x7f.1/x", /IP address/],
  ["https://8.8.8.8/x", /IP address/],
  ["https://[::1]/x", /IP address/],
  ["https://[::ffff:10.0.0.1]/x", /IP address/],
  ["https://localhost/x", /full domain/],
  ["https://hooks.localhost/x", /localhost/],
  ["https://hooks.local/x", /\.local/],
  ["https://metadata.google.internal/x", /\.internal/],
  ["https://router.lan/x", /private network/],
  ["https://intranet/x", /full domain/],
  ["https://hooks.example.com./x", /dot at its end/],
  ["https://www.livekit-deploy.example.com/x", /address of ours/],
  ["https://livekit-deploy.example.com/x", /address of ours/],
  ["https://servers.livekit-deploy.example.com/v1/report", /address of ours/],
  ["https://WWW.LiveKit-Deploy.example.com/x", /address of ours/],
  [`https://hooks.example.com/${"x".repeat(500)}`, /at most 500/],
])("no webhook leads to %s", (address, sentence) => {
  const checked = checkWebhookAddress(address, rules);
  expect("refusal" in checked ? checked.refusal : checked).toMatch(sentence);
});

test("a name on the internet is taken, at the usual port", () => {
  for (const address of [
    "https://hooks.example.com/a?b=c",
    " https://hooks.example.com:443/a?b=c ",
  ]) {
    expect(checkWebhookAddress(address, rules)).toEqual({ url: "https://hooks.example.com/a?b=c" });
  }
});

test("a fake on this machine is reached only where its origin was named", () => {
  const address = "http://127.0.0.1:54507/webhooks/team";
  expect(checkWebhookAddress(address, rules)).toHaveProperty("refusal");
  const testOrigin = "http://127.0.0.1:54507";
  expect(checkWebhookAddress(address, { ...rules, testOrigin })).toEqual({ url: address });
  const other = "http://127.0.0.1:54508/webhooks/team";
  expect(checkWebhookAddress(other, { ...rules, testOrigin })).toHaveProperty("refusal");
});
