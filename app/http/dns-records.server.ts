import * as z from "zod/mini";
import { describeError, log } from "~/platform/log/log.server";
import { readBody } from "./body.server";

const timeoutMs = 4_000;
const maxAnswerBytes = 32 * 1024;

/** The numbers that DNS has for types of records and for "there is no such name". */
const typeNumbers = { A: 1, TXT: 16, AAAA: 28 } as const;
const noError = 0;
const noSuchName = 3;

const dnsAnswer = z.object({
  Status: z.int(),
  Answer: z._default(z.array(z.object({ type: z.int(), data: z.string() })), []),
});

/**
 * The records of a type that a name has, as `resolver`, the address of a resolver for DNS over HTTPS, has them in the JSON
 * form of 1.1.1.1. It follows aliases. A text is without its quotation marks. Undefined when the resolver does not say.
 * Never throws.
 */
export async function dnsRecords(
  resolver: string,
  name: string,
  type: keyof typeof typeNumbers,
): Promise<string[] | undefined> {
  try {
    const response = await fetch(`${resolver}?${new URLSearchParams({ name, type })}`, {
      headers: { accept: "application/dns-json" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`The resolver answered ${response.status}`);
    const { Status, Answer } = dnsAnswer.parse(
      JSON.parse((await readBody(response, maxAnswerBytes)) ?? ""),
    );
    if (Status !== noError && Status !== noSuchName) return;
    return Answer.filter((each) => each.type === typeNumbers[type]).map(({ data }) =>
      type === "TXT" ? data.replaceAll(/^"|"$|" "/g, "") : data,
    );
  } catch (error) {
    log.warn("A name could not be resolved", describeError(error));
  }
}
