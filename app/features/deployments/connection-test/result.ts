import * as z from "zod/mini";
import { pairKinds } from "../test-room/candidate-pair";
import { outsides } from "./failure-advice";
import { browserFamilies, wayFailures } from "./ways";

const between = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

const milliseconds = between(0, 600_000);

const outcome = z.discriminatedUnion("state", [
  z.strictObject({
    state: z.literal("connected"),
    by: z.enum(pairKinds),
    /** The port of the server's side of the pair. */
    port: between(0, 65_535),
    connectMs: milliseconds,
    roundTripMs: z.optional(milliseconds),
  }),
  z.strictObject({
    state: z.literal("failed"),
    failure: z.enum(wayFailures),
    afterMs: milliseconds,
  }),
  /** The way before it had failed by something that concerns all of them. */
  z.strictObject({ state: z.literal("skipped") }),
]);

const fields = {
  browser: z.strictObject({ family: z.enum(browserFamilies), version: between(0, 9_999) }),
  usual: outcome,
  tcp: outcome,
  relay: outcome,
};

/**
 * What a test found: words of lists and numbers. It has no field for free text and none for an address, so that whoever
 * has a link can write nothing else into the console of whoever made it.
 */
export const resultSchema = z.strictObject(fields);

/** The same with what our site saw of the server then, where it looked. */
export const storedResultSchema = z.strictObject({
  ...fields,
  outside: z.optional(z.enum(outsides)),
});

export type WayOutcome = z.output<typeof outcome>;
export type TestResult = z.output<typeof resultSchema>;
export type StoredResult = z.output<typeof storedResultSchema>;
