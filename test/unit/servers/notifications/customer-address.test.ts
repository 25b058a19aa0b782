import { expect, test } from "vitest";
import { checkCustomerAddress } from "../../../../app/features/servers/notifications/senders/customer-address.server.ts";

const rules = { siteUrl: "https://www.livekit-deploy.example.com" };

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
  ["https://router.lan/x", /\.lan/],
  ["https://intranet/x", /full domain/],
  ["https://hooks.example.com./x", /dot at its end/],
  ["https://www.livekit-deploy.example.com/x", /address of ours/],
  ["https://livekit-deploy.example.com/x", /address of ours/],
  ["https://servers.livekit-deploy.example.com/v1/report", /address of ours/],
  ["https://WWW.LiveKit-Deploy.example.com/x", /address of ours/],
  [`https://hooks.example.com/${"x".repeat(500)}`, /at most 500/],
])("no webhook leads to %s", (address, sentence) => {
  const checked = checkCustomerAddress(address, rules);
  expect("refusal" in checked ? checked.refusal : checked).toMatch(sentence);
});

test("a name on the internet is taken, at the usual port", () => {
  for (const address of [
    "https://hooks.example.com/a?b=c",
    " https://hooks.example.com:443/a?b=c ",
  ]) {
    expect(checkCustomerAddress(address, rules)).toEqual({
      url: "https://hooks.example.com/a?b=c",
    });
  }
});

test("a fake on this machine is reached only where its origin was named", () => {
  const address = "http://127.0.0.1:54507/webhooks/team";
  expect(checkCustomerAddress(address, rules)).toHaveProperty("refusal");
  const testOrigin = "http://127.0.0.1:54507";
  expect(checkCustomerAddress(address, { ...rules, testOrigin })).toEqual({ url: address });
  const other = "http://127.0.0.1:54508/webhooks/team";
  expect(checkCustomerAddress(other, { ...rules, testOrigin })).toHaveProperty("refusal");
});
