import { afterEach, expect, test, vi } from "vitest";
import type { AppContext } from "~/http/app-context";
import { allotmentOf, networkOf, prefix48Of } from "~/http/network";
import { withinLimit } from "~/http/rate-limit.server";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["unknown", "unknown"],
])("a caller at %s is counted as %s", (address, counted) => {
  expect(networkOf(address)).toBe(counted);
});

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["203.0.113.7", undefined],
  ["::ffff:203.0.113.7", undefined],
  ["unknown", undefined],
])("the /48 of %s is %s", (address, prefix) => {
  expect(prefix48Of(address)).toBe(prefix);
});

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8::/32"],
  ["2001:db8::1", "2001:db8::/32"],
  ["203.0.113.7", "203.0.0.0/16"],
  ["::ffff:203.0.113.7", "203.0.0.0/16"],
  ["unknown", undefined],
])("what the provider of %s is allotted is %s", (address, allotment) => {
  expect(allotmentOf(address)).toBe(allotment);
});

afterEach(() => void vi.restoreAllMocks());

/** One minute of a limit as Cloudflare counts it: each key by itself. */
function oneMinute(limit: number) {
  vi.spyOn(console, "warn").mockReturnValue();
  const counts = new Map<string, number>();
  const binding = {
    async limit({ key }: { key: string }) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { success: count <= limit };
    },
  };
  const context = { bindings: { SIGN_IN_LIMIT: binding } } as unknown as AppContext;
  return (address: string, ...others: string[]) => {
    const headers = { "cf-connecting-ip": address };
    const request = new Request("https://site.example/signin", { headers });
    return withinLimit(context, "SIGN_IN_LIMIT", request, ...others);
  };
}

async function passing(requests: readonly Promise<boolean>[]) {
  return (await Promise.all(requests)).filter(Boolean).length;
}

test("a whole /48 that asks from all its networks gets sixteen times as far as one, no further", async () => {
  const ask = oneMinute(20);
  const all = Array.from({ length: 4_000 }, (_, place) =>
    ask(`2001:db8:7:${place.toString(16)}::1`),
  );
  const passed = await passing(all);
  expect(passed).toBeLessThanOrEqual(16 * 20);
  expect(passed).toBeGreaterThan(8 * 20);
  expect(await ask("2001:db8:8:1::1")).toBe(true);
});

test("one network that asks without end is held to its own limit, and costs its neighbours nothing", async () => {
  const ask = oneMinute(20);
  const flood = Array.from({ length: 5_000 }, (_, place) =>
    ask(`2001:db8:7:1::${place.toString(16)}`),
  );
  expect(await passing(flood)).toBe(20);
  const neighbour = Array.from({ length: 20 }, () => ask("2001:db8:7:2::1"));
  expect(await passing(neighbour)).toBe(20);
});

test("an account is counted too, wherever its tries come from", async () => {
  const ask = oneMinute(20);
  const tries = Array.from({ length: 60 }, (_, place) => ask(`203.0.113.${place}`, "account:ada"));
  expect(await passing(tries)).toBe(20);
});

test.each([
  ["a network", () => "203.0.113.7"],
  ["a whole /48", (turn: number) => `2001:db8:7:${turn.toString(16)}::1`],
])("%s that is refused spends no more attempts of the account that it names", async (_, from) => {
  const ask = oneMinute(20);
  await passing(Array.from({ length: 4_000 }, (_, turn) => ask(from(turn))));
  const refused = Array.from({ length: 40 }, (_, turn) => ask(from(4_000 + turn), "account:ada"));
  expect(await passing(refused)).toBe(0);
  const owner = Array.from({ length: 20 }, () => ask("198.51.100.1", "account:ada"));
  expect(await passing(owner)).toBe(20);
});
