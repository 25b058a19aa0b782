/**
 * Where the local fakes listen. `LOCAL_PORT_BASE` moves them all (default 54500).
 * Always the IPv4 loopback by number: `localhost` may mean IPv6 first.
 */
export function fakeAddresses(base = Number(process.env.LOCAL_PORT_BASE ?? 54500)) {
  const at = (offset: number) => ({
    port: base + offset,
    url: `http://127.0.0.1:${base + offset}`,
  });
  // Tests have their site at the base port plus four.
  return {
    supabase: at(0),
    google: at(1),
    stripe: at(2),
    mail: at(3),
    turnstile: at(5),
    internet: at(6),
    alerts: at(7),
  };
}

export type FakeAddresses = ReturnType<typeof fakeAddresses>;
