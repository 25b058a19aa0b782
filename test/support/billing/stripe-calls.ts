import { globSync, readFileSync } from "node:fs";

/** `stripe.checkout.sessions`, or a client that is made on the spot; the way to a resource and a call. */
const client = String.raw`\bstripe(?:Client\([^()]*\))?`;
const way = String.raw`((?:\s*\.\s*\w+)`;

/** Every call to Stripe in a file, as the SDK names it: `checkout.sessions.create`. */
function callsIn(file: string): string[] {
  const code = readFileSync(file, "utf8");
  const found = (pattern: string) =>
    [...code.matchAll(new RegExp(pattern, "g"))].map((match) =>
      match.slice(1).map((part = "") => part.replace(/\s/g, "").replace(/^\./, "")),
    );
  const direct = found(`${client}${way}{2,4}?)\\(`).flat();
  // const { sessions } = stripe.checkout; sessions.create(…)
  const destructured = found(String.raw`\{ (\w+) \} = ${client}${way}{1,2});`).flatMap(
    ([resource = "", parent = ""]) =>
      found(String.raw`(?<![\w.])${resource}${way}{1})\(`).map(
        ([call = ""]) => `${parent}.${resource}.${call}`,
      ),
  );
  return [...direct, ...destructured].filter((call) => !call.startsWith("webhooks."));
}

/** Every call to Stripe of the files that fit. */
export function calledBy(...patterns: string[]): string[] {
  return [...new Set(globSync(patterns).flatMap(callsIn))].sort();
}
