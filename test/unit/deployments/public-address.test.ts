import { expect, test } from "vitest";
import { publicAddress } from "~/features/deployments/progress/public-address.ts";

test.each([
  ["198.41.0.4", "198.41.0.4"],
  ["  198.41.0.4\n", "198.41.0.4"],
  ["198.41.0.4/32", "198.41.0.4"],
  ["http://198.41.0.4/", "198.41.0.4"],
  ["The machine runs at 198.41.0.4. Set these DNS records now:".slice(0, 31), "198.41.0.4"],
])("an IPv4 address is cleaned: %j", (pasted, address) => {
  expect(publicAddress(pasted, "ipv4")).toEqual({ address });
});

test.each([
  ["2001:503:BA3E:0:0:0:2:30", "2001:503:ba3e::2:30"],
  ["[2001:503:ba3e::2:30]", "2001:503:ba3e::2:30"],
  ["https://[2001:503:ba3e::2:30]:443/", "2001:503:ba3e::2:30"],
  ["2001:503:ba3e::2:30/64", "2001:503:ba3e::2:30"],
])("an IPv6 address is cleaned: %j", (pasted, address) => {
  expect(publicAddress(pasted, "ipv6")).toEqual({ address });
});

test.each([
  "10.0.0.5",
  "127.0.0.1",
  "0.0.0.0",
  "100.64.1.1",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.8",
  "192.0.2.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.5",
  "224.0.0.1",
  "255.255.255.255",
])("%s is refused, because nobody outside reaches it", (address) => {
  expect(publicAddress(address, "ipv4")).toEqual({
    refusal: `${address} is not a public address: nobody outside reaches a server there.`,
  });
});

test.each([
  "::1",
  "::",
  "::ffff:10.0.0.5",
  "::ffff:a00:5",
  "64:ff9b::a00:5",
  "fe80::1",
  "fd00::1",
  "ff02::1",
  "2001:db8::5",
  "2001::1",
  "2002:a00:5::1",
  "3fff::1",
])("%s is refused as an IPv6 address", (address) => {
  expect(publicAddress(address, "ipv6")).toHaveProperty("refusal");
});

test.each([
  "",
  "1.2.3",
  "1.2.3.4.5",
  "010.0.0.1",
  "0x7f.1",
  "2130706433",
  "1.2.3.256",
  "live.acme.io",
  "1.2.3.4 5.6.7.8",
  "1.2.3.4\nx: y",
  "::ffff:198.41.0.4",
  "2001:503:ba3e::2:30",
])("%j is no IPv4 address", (pasted) => {
  expect(publicAddress(pasted, "ipv4")).toHaveProperty("refusal");
});

test.each(["1.2.3.4", "2001:503::ba3e::1", "2001:503:ba3e::2:30%eth0", "g::1", "1:2:3"])(
  "%j is no IPv6 address",
  (pasted) => {
    expect(publicAddress(pasted, "ipv6")).toHaveProperty("refusal");
  },
);
