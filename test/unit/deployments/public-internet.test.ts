import { expect, test } from "vitest";
import { isPublicAddress } from "~/features/deployments/public-internet.ts";

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
