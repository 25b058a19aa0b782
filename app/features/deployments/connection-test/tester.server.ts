import { data } from "react-router";
import type { AppContext } from "~/http/app-context";
import { tooOften } from "~/http/rate-limit.server";
import { targetOf } from "../public-name.server";
import type { TestedServer } from "../test-room/tested-server";
import { failureAdvice } from "./failure-advice";
import type { OpenTest } from "./linked-test.server";
import type { StoredResult } from "./result";
import {
  notAResult,
  type ResultAnswer,
  readResult,
  resultNotSaved,
  withOutside,
} from "./results.server";

// What the pages of tests share that somebody without an account runs: by a link, and framed in a customer's own page.

/** What such a page shows: the server that is tested, or why there is no test. */
export type TesterView =
  | { server: TestedServer; message: "" }
  | { server: undefined; message: string };

const always = {
  "too-often": [429, tooOften],
  unavailable: [503, "The test cannot be loaded right now. Please try again in a moment."],
} as const;

/** The sentences of a page that differ by how somebody came to it. */
export type TesterRefusals = Readonly<
  Record<"unknown" | "ended" | "full", readonly [number, string]>
>;
type Why = keyof TesterRefusals | keyof typeof always;

export function refusedView(refusals: TesterRefusals, why: Why) {
  const [status, message] = { ...always, ...refusals }[why];
  return data<TesterView>({ server: undefined, message }, { status });
}

/**
 * The server of a test, if its name leads to the public internet now: only then may the page's scripts connect to it.
 * Undefined while DNS does not say.
 */
export async function testerView(
  { configuration }: AppContext,
  { server }: OpenTest,
): Promise<TesterView | undefined> {
  const target = await targetOf(configuration, server.domain);
  if (target === "none" || target === "private") {
    const outside = target === "none" ? "no-address" : "private";
    const { title, tester } = failureAdvice("unreachable", { ...server, outside });
    return { server: undefined, message: [title, ...tester].join(" ") };
  }
  return target === "public" ? { server, message: "" } : undefined;
}

/** Takes the result of somebody's test. `keep` is told what our site saw of the server at the same time. */
export async function takeResult<Found extends OpenTest>(
  app: AppContext,
  form: URLSearchParams,
  refusals: TesterRefusals,
  find: () => Promise<Found | { state: "unknown" | "ended" } | { state: "unavailable" }>,
  keep: (found: Found, stored: StoredResult) => Promise<"kept" | "gone" | "full" | "unavailable">,
) {
  const answer = (status: number, sent: ResultAnswer) => data(sent, { status });
  const result = readResult(form);
  if (!result) return answer(400, { message: notAResult });
  const found = await find();
  if (found.state === "unavailable") return answer(503, { message: resultNotSaved });
  if (found.state !== "open") {
    const [status, message] = refusals[found.state];
    return answer(status, { message });
  }
  const { server, address } = found;
  const stored = await withOutside(app, result, { domain: server.domain, address });
  const seen = stored.outside ? { outside: stored.outside } : {};
  const outcome = await keep(found, stored);
  if (outcome === "kept") return answer(200, seen);
  if (outcome === "unavailable") return answer(503, { ...seen, message: resultNotSaved });
  const [status, message] = refusals[outcome === "full" ? "full" : "ended"];
  return answer(status, { ...seen, message });
}

export const resultTooOften = () => data<ResultAnswer>({ message: tooOften }, { status: 429 });
