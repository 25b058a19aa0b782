import type { SupabaseClient } from "@supabase/supabase-js";
import * as z from "zod/mini";
import type { PrincipalScope } from "~/features/auth/session/session.server";
import { roleChanged } from "~/features/workspaces/roles";
import { toBase64url } from "~/http/encodings";
import { sha256Hex } from "~/http/hashes";
import { isRoleRefusal } from "~/platform/database/role-refusal";
import { serviceClient } from "~/platform/database/service-client.server";
import type { Database } from "~/platform/database/types";
import { describeError, log } from "~/platform/log/log.server";
import { type StoredResult, storedResultSchema } from "./result";

type Refusal = { ok: false; status: 400 | 403 | 404 | 503; message: string };

/** Which network a link is for, or which page an embedded test: one line that can be read. */
export const labelSchema = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(80), z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u));

const notMade: Refusal = {
  ok: false,
  status: 503,
  message: "The link could not be made right now. Please try again in a moment.",
};
const notEnded: Refusal = {
  ok: false,
  status: 503,
  message: "The link could not be ended right now. Please try again in a moment.",
};

/** Whether a text has the form of what a link ends with: 128 random bits. */
export function isLinkSecret(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/** Makes a link to a test of a deployment's server, for a day. We keep the hash of its secret, so it is shown once. */
export async function makeTestLink(
  { context, principal }: PrincipalScope,
  deployment: string,
  typedLabel: string,
): Promise<{ ok: true; secret: string; endsAt: string } | Refusal> {
  const label = labelSchema.safeParse(typedLabel);
  if (!label.success) {
    const message = "Name the network in 1 to 80 characters, such as the customer's office.";
    return { ok: false, status: 400, message };
  }
  const secret = toBase64url(crypto.getRandomValues(new Uint8Array(16)));
  const { data, error } = await serviceClient(context.configuration, context.caller).rpc(
    "make_connection_test_link",
    {
      actor: principal.user.id,
      target: deployment,
      new_hash: await sha256Hex(secret),
      new_label: label.data,
    },
  );
  if (error) return databaseFailed(error, notMade);
  if (data) return { ok: true, secret, endsAt: data };
  const message = "Twenty links to tests of this deployment are open. End one of them first.";
  return { ok: false, status: 403, message };
}

/** Ends a link at once. What was found by it stays. */
export async function endTestLink(
  { context, principal }: PrincipalScope,
  deployment: string,
  link: string,
): Promise<{ ok: true } | Refusal> {
  const unknown: Refusal = { ok: false, status: 404, message: "This link has ended already." };
  if (!z.uuid().safeParse(link).success) return unknown;
  const { data, error } = await serviceClient(context.configuration, context.caller).rpc(
    "end_connection_test_link",
    { actor: principal.user.id, target: deployment, link },
  );
  if (error) return databaseFailed(error, notEnded);
  return data ? { ok: true } : unknown;
}

function databaseFailed(error: { code: string; message: string }, unavailable: Refusal): Refusal {
  if (isRoleRefusal(error)) return { ok: false, status: 403, message: roleChanged };
  log.error("A link to a connection test could not be written", describeError(error));
  return unavailable;
}

export type TestLink = { id: string; label: string; endsAt: string; isOpen: boolean };
/** `network`: the label of its link or of the page that frames it; undefined where a member ran it in the console. */
export type StoredTest = { id: string; at: string; network?: string; result: StoredResult };

const shownTests = 100;
const shownLinks = 50;

/** The links and results of a deployment, newest first. Undefined when the database does not answer. */
export async function readTests(
  supabase: SupabaseClient<Database>,
  deployment: string,
): Promise<{ links: TestLink[]; tests: StoredTest[] } | undefined> {
  const [links, tests] = await Promise.all([
    supabase
      .from("connection_test_links")
      .select("id, label, expires_at, ended_at")
      .eq("deployment_id", deployment)
      .order("created_at", { ascending: false })
      .limit(shownLinks),
    supabase
      .from("connection_tests")
      .select("id, ran_at, result, connection_test_links (label), connection_test_embeds (label)")
      .eq("deployment_id", deployment)
      .order("ran_at", { ascending: false })
      .limit(shownTests),
  ]);
  if (links.error || tests.error) {
    log.error("Connection tests could not be read", describeError(links.error ?? tests.error));
    return;
  }
  return {
    links: links.data.map(({ id, label, expires_at, ended_at }) => ({
      id,
      label,
      endsAt: ended_at ?? expires_at,
      isOpen: ended_at === null && Date.parse(expires_at) > Date.now(),
    })),
    tests: tests.data.flatMap(({ id, ran_at, result, ...from }) => {
      // A version of before may have kept results of another form.
      const read = storedResultSchema.safeParse(result);
      if (!read.success) return [];
      const place = from.connection_test_links ?? from.connection_test_embeds;
      return [{ id, at: ran_at, ...(place ? { network: place.label } : {}), result: read.data }];
    }),
  };
}
