import * as z from "zod/mini";
import { type AttemptLimit, takeAttempt } from "~/features/auth/attempt-limit.server";
import { layOut } from "~/features/mail/mail-layout";
import type { AppContext } from "~/http/app-context";
import { type ServiceClient, serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { askResend } from "~/platform/mail/resend.server";
import { workspaceBase } from "~/ui/console/console-path";
import { fill } from "./fill";
import { workspaceWords } from "./workspace-words.server";

const rows = z.array(
  z.object({ user_id: z.string(), address: z.string(), role: z.string(), joined_at: z.string() }),
);
type Member = z.infer<typeof rows>[number];

type NewAdmin = {
  /** The id of the workspace. */
  workspace: string;
  person: string;
  /** Who made them one, by id and address; undefined where they accepted an invitation. */
  actor?: { id: string; email: string };
};

/**
 * Tells every owner by mail that somebody is an admin now: with a session that somebody else left open they would not
 * learn of it. Nobody waits for it, and no change fails with it.
 */
export function mailNewAdmin(context: AppContext, { workspace, person, actor }: NewAdmin): void {
  mailOwners(context, workspace, async (members) => {
    const { newAdmin: words } = await workspaceWords(context);
    const address = members.find(({ user_id }) => user_id === person)?.address ?? "Somebody";
    return {
      words,
      says: [actor ? words.byRole : words.byInvitation, words.advice],
      values: { address, actor: actor?.email ?? "" },
      path: "/members",
    };
  });
}

/** One mail a day: with a full workspace everybody of an organisation may come in one morning. */
const fullMails: AttemptLimit = { kind: "sso-full", maxAttempts: 1, seconds: 24 * 60 * 60 };

/** Tells every owner by mail that somebody came by single sign-on and found no room. */
export function mailSsoFull(
  context: AppContext,
  { workspace, address }: { workspace: string; address: string },
): void {
  mailOwners(context, workspace, async () => {
    if ((await takeAttempt(context, workspace, fullMails)) !== "taken") return;
    const { ssoFull: words } = await workspaceWords(context);
    return { words, says: [words.says, words.advice], values: { address }, path: "/members" };
  });
}

/** Tells every owner by mail which channels of alerts ended with a member: fewer people learn of what is wrong now. */
export function mailEndedChannels(
  context: AppContext,
  workspace: string,
  channels: readonly string[],
): void {
  mailOwners(context, workspace, async () => {
    const { endedChannels: words } = await workspaceWords(context);
    const values = { channels: channels.join("; ") };
    return { words, says: [words.says, words.advice], values, path: "/alerts" };
  });
}

/** Tells every owner by mail that a webhook was switched off. */
export async function mailWebhookOff(
  context: MailContext,
  workspace: string,
  host: string,
): Promise<void> {
  await sendToOwners(context, workspace, async () => {
    const { webhookOff: words } = await workspaceWords(context);
    return { words, says: [words.says, words.advice], values: { host }, path: "/webhooks" };
  });
}

/** What a mail to owners needs of a request; a run of the cron has it too. */
type MailContext = Pick<AppContext, "configuration" | "bindings">;

type OwnerMail = {
  words: { subject: string; button: string; footer: string };
  says: readonly string[];
  values: Readonly<Record<string, string>>;
  /** Of the button's page, in the workspace. */
  path: string;
};

/** What is said to them; nothing where they were mailed of it before. */
type MailOf = (members: readonly Member[]) => Promise<OwnerMail | undefined>;

function mailOwners(context: AppContext, workspace: string, mail: MailOf): void {
  context.waitUntil(
    sendToOwners(context, workspace, mail).catch((error: unknown) => {
      log.error("The owners of a workspace were not mailed", describeError(error));
    }),
  );
}

async function sendToOwners(context: MailContext, id: string, mailOf: MailOf): Promise<void> {
  const { configuration } = context;
  const database = serviceClient(configuration);
  const { data: owner } = await database
    .from("members")
    .select("user_id")
    .eq("workspace_id", id)
    .eq("role", "owner")
    .limit(1)
    .maybeSingle()
    .throwOnError();
  // It was deleted with its last member.
  if (!owner) return;
  const members = await allMembers(database, id, owner.user_id);
  const { data: workspace } = await database
    .from("workspaces")
    .select("slug, name")
    .eq("id", id)
    .single()
    .throwOnError();
  const said = await mailOf(members);
  if (!said) return;
  const { words, says, values, path } = said;
  const owners = members.filter(
    ({ role, ...owner }) => role === "owner" && owner.address.includes("@"),
  );
  const filled = (text: string) => fill(text, { ...values, workspace: workspace.name });
  const subject = filled(words.subject);
  const mail = layOut({
    subject,
    paragraphs: says.map(filled),
    button: {
      label: words.button,
      address: `${configuration.SITE_URL}${workspaceBase(workspace.slug)}${path}`,
    },
    footer: filled(words.footer),
  });
  for (const { address: to } of owners) {
    const response = await askResend(configuration, `to-owners-${crypto.randomUUID()}`, {
      ...{ to, replyTo: configuration.SUPPORT_EMAIL, subject },
      ...mail,
    });
    await response.body?.cancel();
    if (!response.ok) {
      const { status } = response;
      log.error("An owner of a workspace was not mailed", { workspace: id, status });
    }
  }
}

const pageSize = 50;

async function allMembers(
  database: ServiceClient,
  workspace: string,
  actor: string,
): Promise<Member[]> {
  const members: Member[] = [];
  for (;;) {
    const last = members.at(-1);
    const { data } = await database
      .rpc("members_of", {
        ...{ actor, workspace },
        ...(last ? { after_joined: last.joined_at, after_person: last.user_id } : {}),
      })
      .throwOnError();
    const page = rows.parse(data);
    members.push(...page);
    if (page.length < pageSize) return members;
  }
}
