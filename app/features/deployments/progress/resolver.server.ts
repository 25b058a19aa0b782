import * as z from "zod/mini";
import { readBody } from "~/http/body/body.server";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import type { DnsRecord } from "../bundle/bundle-types.ts";
import { addressGroups } from "../bundle/names.ts";

const timeoutMs = 4_000;
const largestAnswer = 32 * 1024;

/** The numbers that DNS has for types of records and for "there is no such name". */
const typeNumbers = { A: 1, AAAA: 28 } as const satisfies Record<DnsRecord["type"], number>;
const noError = 0;
const noSuchName = 3;

const dnsAnswer = z.object({
  Status: z.int(),
  Answer: z._default(z.array(z.object({ type: z.int(), data: z.string() })), []),
});

/**
 * The addresses that a name has, asked by DNS over HTTPS in the JSON form of 1.1.1.1. Aliases are followed by the
 * resolver. Undefined when the resolver does not say.
 */
export async function addressesOf(
  { DNS_API_URL }: Configuration,
  name: string,
  type: DnsRecord["type"],
): Promise<string[] | undefined> {
  try {
    const response = await fetch(`${DNS_API_URL}?${new URLSearchParams({ name, type })}`, {
      headers: { accept: "application/dns-json" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`The resolver answered ${response.status}`);
    const { Status, Answer } = dnsAnswer.parse(
      JSON.parse((await readBody(response, largestAnswer)) ?? ""),
    );
    if (Status !== noError && Status !== noSuchName) return;
    return Answer.filter((each) => each.type === typeNumbers[type])
      .map(({ data }) => data)
      .filter((data) => addressGroups(data).length === (type === "A" ? 4 : 8));
  } catch (error) {
    log.warn("A name could not be resolved", describeError(error));
  }
}
