import * as z from "zod/mini";
import { readDeployment } from "~/features/deployments/record/deployments.server";
import type { WorkspaceScope } from "~/features/deployments/record/save-deployments.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { log } from "~/platform/log/log.server";
import { mailCopy, mailMessage } from "../mail-message.server";
import { type ContactMessage, checkMessage, type MessageErrors } from "../message-form.server";

export type SupportValues = { topic: string; deployment: string; message: string };
export type SupportErrors = Pick<MessageErrors, "topic" | "message"> & { deployment?: string };
export type SupportOutcome =
  | { ok: true; id: string }
  | {
      ok: false;
      status: 400 | 429 | 503;
      message: string;
      values: SupportValues;
      errors?: SupportErrors;
    };

const outcomes = z.enum(["kept", "sender"]);
const writtenTooOften =
  "Nothing was sent: you have written as often today as we can take. What you wrote is still below. Send it tomorrow, or mail it to us.";

export function supportValues(form: URLSearchParams): SupportValues {
  const value = (name: string) => form.get(name) ?? "";
  return { topic: value("topic"), deployment: value("deployment"), message: value("message") };
}

/** Keeps a message of a signed-in person, with the deployment it is about, and mails it to support and to them. */
export async function sendSupportMessage(
  { context, session, principal, workspace }: WorkspaceScope,
  values: SupportValues,
): Promise<SupportOutcome> {
  const { id: owner, email } = principal.user;
  const check = checkMessage({ ...values, name: email.slice(0, 100), email });
  const about = await deploymentOf(session.supabase, values.deployment);
  if (about === "unavailable") return unavailable(values);
  if (!check.ok || about === "unknown") {
    const errors = {
      ...(check.ok ? {} : check.errors),
      ...(about === "unknown" ? { deployment: "This deployment is not here any more." } : {}),
    };
    const message = `Nothing was sent yet. Please correct the marked fields.`;
    return { ok: false, status: 400, message, values, errors };
  }
  const id = crypto.randomUUID();
  const { message } = check;
  const { data, error } = await serviceClient(context.configuration).rpc("keep_support_message", {
    new_id: id,
    owner,
    owner_email: email,
    new_topic: message.topic,
    new_message: message.message,
    ...(about ? { about: about.id, about_version: about.version } : {}),
  });
  // An error message of the database quotes the refused row, so it is not logged.
  if (error) {
    log.error("A contact message was not stored", { id, code: error.code });
    return unavailable(values);
  }
  const outcome = outcomes.parse(data);
  if (outcome !== "kept") {
    log.warn("A quota was reached", { quota: "support messages of one account" });
    return { ok: false, status: 429, message: writtenTooOften, values };
  }
  context.waitUntil(mailBoth(context, id, message, { owner, workspace }, about));
  return { ok: true, id };
}

type About = { id: string; name: string; version: number };

async function mailBoth(
  context: WorkspaceScope["context"],
  id: string,
  message: ContactMessage,
  { owner, workspace }: { owner: string } & Pick<WorkspaceScope, "workspace">,
  about: About | undefined,
): Promise<void> {
  const deployment = about ? [`Deployment: ${about.name}, v${about.version}`] : [];
  const ids = [
    `Account: ${owner}`,
    ...(workspace ? [`Workspace: ${workspace.id}`] : []),
    ...(about ? [`Deployment's id: ${about.id}`] : []),
  ];
  await Promise.all([
    mailMessage(context, id, message, [...deployment, ...ids]),
    mailCopy(context, id, message, deployment),
  ]);
}

async function deploymentOf(
  supabase: Parameters<typeof readDeployment>[0],
  id: string,
): Promise<About | undefined | "unknown" | "unavailable"> {
  if (id === "") return undefined;
  const found = await readDeployment(supabase, id);
  return found.state === "found" ? found.value : found.state;
}

function unavailable(values: SupportValues): SupportOutcome {
  const message = `Your message could not be stored right now, so nothing was sent. What you wrote is still below. Try again in a moment.`;
  return { ok: false, status: 503, message, values };
}
