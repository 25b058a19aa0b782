import * as z from "zod/mini";
import { isPublicAddress } from "~/features/deployments/public-internet";
import type { Sent } from "~/features/servers/channels/channel";
import { readBody } from "~/http/body/body.server";

const timeoutMs = 4_000;
const mostBytes = 32 * 1024;
const noError = 0;
const types = { A: 1, AAAA: 28 } as const;

const dnsAnswer = z.object({
  Status: z.int(),
  Answer: z._default(z.array(z.object({ type: z.int(), data: z.string() })), []),
});

/**
 * Why nothing is sent to a name now: it has no address, one that is not of the public internet, or the resolver does
 * not say. Undefined for a name that leads to the internet alone.
 */
export async function refusedName(
  resolver: string,
  name: string,
): Promise<Extract<Sent, { ok: false }> | undefined> {
  const answers = await Promise.all([
    addresses(resolver, name, "A"),
    addresses(resolver, name, "AAAA"),
  ]);
  const [found, more] = answers;
  if (!found || !more) {
    return { ok: false, retry: true, reason: "Its name could not be resolved: no answer of DNS." };
  }
  const all = [...found, ...more];
  if (all.length === 0)
    return { ok: false, retry: true, reason: "Its name has no address in DNS." };
  if (all.every(isPublicAddress)) return;
  const reason = "Its name leads to an address that is not of the public internet.";
  return { ok: false, retry: true, reason };
}

async function addresses(
  resolver: string,
  name: string,
  type: keyof typeof types,
): Promise<string[] | undefined> {
  try {
    const response = await fetch(`${resolver}?${new URLSearchParams({ name, type })}`, {
      headers: { accept: "application/dns-json" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readBody(response, mostBytes);
    const { data } = dnsAnswer.safeParse(response.ok ? JSON.parse(text ?? "") : undefined);
    // 3: there is no such name.
    if (!data || (data.Status !== noError && data.Status !== 3)) return;
    return data.Answer.filter((each) => each.type === types[type]).map((each) => each.data);
  } catch {
    return;
  }
}
