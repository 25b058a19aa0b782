import * as z from "zod/mini";
import { toBase64 } from "~/http/encodings";
import type { Approvers } from "../rollouts/approvers.server";
import { type Assertion, type MachineStep, machineSteps } from "../rollouts/rollout";
import type { Key } from "./credentials.server";

/** What a report's answer has of rollouts: one to take up, and passkeys to forget. */
export type ApprovalLines = {
  rollout?: { id: string; manifest: string; assertions: Assertion[] };
  removedApprovers?: string[];
};

/** What is called of a fleet. */
type FleetCalls = {
  approversFor(key: Key): Promise<Approvers | undefined>;
  rolloutStep(
    key: Key,
    id: string,
    said: { step: MachineStep; reason?: string | undefined },
  ): Promise<{ isAborting: boolean } | undefined>;
  rolloutZip(key: Key, id: string): Promise<Uint8Array | undefined>;
};

/** Lines `name value` of an answer. */
type Lines = Readonly<Record<string, string | number>>;

/** What is answered to a machine whose key was found to be ours. */
export type RolloutEndpoint = (
  body: string,
  fleet: FleetCalls,
  key: Key,
) => Promise<
  { lines: Lines } | { zip: Uint8Array<ArrayBuffer> } | { refused: "no-rollout" | "unreadable" }
>;

/** One word of an answer's line. */
const word = (text: string): string => text.replace(/[^\x21-\x7e]/g, "-").slice(0, 100) || "-";

/**
 * Whose passkeys approve: a machine takes them over at its enrolment, and later only a person there does. A line is
 * fingerprint, person, credential, key and name.
 */
export function approverLines(approvers: Approvers | undefined): Lines {
  if (!approvers) return {};
  const { needed, origin, keys } = approvers;
  const lines = keys.map(({ fingerprint, person, credential, key, by }, at) => [
    `approver-${at + 1}`,
    `${fingerprint} ${person} ${credential} ${key} ${word(by)}`,
  ]);
  return { "approvals-needed": needed, "approvals-origin": origin, ...Object.fromEntries(lines) };
}

/** The rollout that a machine is to take up, with what was signed, and passkeys that it is to forget. */
export function orderLines({ rollout, removedApprovers }: ApprovalLines): Lines {
  const assertions = rollout?.assertions.map(
    ({ credential, authenticatorData, clientData, signature }, at) => [
      `rollout-assertion-${at + 1}`,
      `${credential} ${authenticatorData} ${clientData} ${signature}`,
    ],
  );
  return {
    ...(rollout
      ? {
          rollout: rollout.id,
          "rollout-manifest": toBase64(new TextEncoder().encode(rollout.manifest)),
          ...Object.fromEntries(assertions ?? []),
        }
      : {}),
    ...(removedApprovers ? { "approvers-removed": removedApprovers.join(",") } : {}),
  };
}

export const approversOf: RolloutEndpoint = async (_, fleet, key) => {
  const approvers = await fleet.approversFor(key);
  return { lines: approverLines(approvers) };
};

const uuid = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/));
const step = z.object({
  rollout: uuid,
  step: z.enum(machineSteps),
  reason: z.optional(z.string().check(z.maxLength(400))),
});

export const rolloutStep: RolloutEndpoint = async (body, fleet, key) => {
  const lines = body.split("\n").map((line) => {
    const [name = "", ...value] = line.split(" ");
    return [name, value.join(" ").replace(/[^\x20-\x7e]/g, "?")];
  });
  const said = step.safeParse(Object.fromEntries(lines)).data;
  if (!said) return { refused: "unreadable" };
  const answered = await fleet.rolloutStep(key, said.rollout, said);
  if (!answered) return { refused: "no-rollout" };
  return { lines: { rollout: said.rollout, abort: answered.isAborting ? "yes" : "no" } };
};

export const rolloutFiles: RolloutEndpoint = async (body, fleet, key) => {
  const id = uuid.safeParse(body.trim()).data;
  const zip = id && (await fleet.rolloutZip(key, id));
  return zip ? { zip: new Uint8Array(zip) } : { refused: "no-rollout" };
};
