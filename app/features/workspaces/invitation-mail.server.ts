import { layOut, type MailWords } from "~/features/mail/mail-layout";
import type { Role } from "~/platform/database/role-rights";
import { describeError, log } from "~/platform/log/log.server";
import { askResend } from "~/platform/mail/resend.server";
import { dayMs, dayOf } from "~/ui/dates";
import { fill } from "./fill";
import { invitationToken } from "./invitation-token";
import type { FormScope } from "./page-forms.server";
import { type WorkspaceWords, workspaceWords } from "./workspace-words.server";

/** Mails an invitation as it is stored now. It is made all the same where the mail cannot be sent. */
export async function mailInvitation(
  { context, database, workspace, principal }: FormScope,
  invitation: string,
  done: "invited" | "resent",
): Promise<"invited" | "resent" | "not-mailed"> {
  const { data, error } = await database
    .from("invitations")
    .select("address, role, sends")
    .eq("id", invitation)
    .eq("workspace_id", workspace.id)
    .single();
  if (error) {
    log.error("An invitation was not mailed", { id: invitation, code: error.code });
    return "not-mailed";
  }
  const { configuration } = context;
  const mail = invitationMail(await workspaceWords(context), {
    inviter: principal.user.email,
    workspace: workspace.name,
    role: data.role as Role,
    until: new Date(Date.now() + 7 * dayMs),
    token: await invitationToken({ id: invitation, send: data.sends }, configuration),
    site: configuration.SITE_URL,
  });
  try {
    const response = await askResend(configuration, `invitation-${invitation}-${data.sends}`, {
      to: data.address,
      replyTo: principal.user.email,
      subject: mail.subject,
      ...layOut(mail),
    });
    await response.body?.cancel();
    if (response.ok) return done;
    log.error("An invitation was not mailed", { id: invitation, status: response.status });
  } catch (thrown) {
    log.error("An invitation was not mailed", { id: invitation, ...describeError(thrown) });
  }
  return "not-mailed";
}

/** The mail with the link of an invitation. `token` is of `invitationToken`, `site` an origin, `until` ISO 8601. */
function invitationMail(
  words: WorkspaceWords,
  {
    inviter,
    workspace,
    role,
    until,
    token,
    site,
  }: {
    inviter: string;
    workspace: string;
    role: Role;
    until: string | Date;
    token: string;
    site: string;
  },
): MailWords {
  const { mail, roles } = words;
  const { name, says: roleSays } = roles[role];
  const filled = (text: string) =>
    fill(text, { inviter, workspace, role: name, roleSays, day: dayOf(until) });
  return {
    subject: filled(mail.subject),
    paragraphs: [filled(mail.says), filled(mail.until)],
    button: { label: mail.button, address: `${site}/invitation?token=${token}` },
    footer: filled(mail.footer),
  };
}
