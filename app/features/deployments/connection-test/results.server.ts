import type { PrincipalScope } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import { sha256Hex } from "~/http/hashes";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { isAboutServer, type Outside } from "./failure-advice";
import { outsideOf } from "./outside.server";
import { resultSchema, type StoredResult, type TestResult } from "./result";

/** What a page shows after it has sent the result of a test. */
export type ResultAnswer = {
  /** What our site sees of the server, where the test did not get in. */
  outside?: Outside;
  /** Why the result was not kept. */
  message?: string;
};

export const notAResult = "This was no result of a test. Load the page again.";
export const resultNotSaved = "The result could not be kept right now. It is shown here alone.";

/** The result that a page sent; undefined for anything else. */
export function readResult(form: URLSearchParams): TestResult | undefined {
  try {
    return resultSchema.safeParse(JSON.parse(form.get("result") ?? "")).data;
  } catch {
    // No JSON.
  }
}

/** Adds what our site sees of the server, where that tells a fault of the network from one of the server. */
export async function withOutside(
  { configuration }: AppContext,
  result: TestResult,
  server: Parameters<typeof outsideOf>[1],
): Promise<StoredResult> {
  const { usual } = result;
  if (usual.state !== "failed" || !isAboutServer(usual.failure)) return result;
  return { ...result, outside: await outsideOf(configuration, server) };
}

/** Keeps what a test by a link found. */
export async function saveLinkedResult(
  { configuration }: AppContext,
  secret: string,
  result: StoredResult,
): Promise<"kept" | "gone" | "full" | "unavailable"> {
  const { data, error } = await serviceClient(configuration).rpc("keep_linked_connection_test", {
    hash: await sha256Hex(secret),
    found_result: result,
  });
  if (!error) return data === "kept" || data === "full" ? data : "gone";
  log.error("The result of a connection test could not be kept", describeError(error));
  return "unavailable";
}

/** Keeps what a member's own test found. Answers whether that was possible. */
export async function saveMemberResult(
  { context, principal }: PrincipalScope,
  deployment: string,
  result: StoredResult,
): Promise<boolean> {
  const { data, error } = await serviceClient(context.configuration, context.caller).rpc(
    "keep_connection_test",
    { actor: principal.user.id, target: deployment, found_result: result },
  );
  if (error) log.error("The result of a connection test could not be kept", describeError(error));
  return data === true;
}
