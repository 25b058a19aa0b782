import type { MailWords } from "~/features/mail/mail-layout";
import type { Role } from "~/platform/database/role-rights";
import { dayOf } from "~/ui/dates";
import { fill } from "../fill";
import type { WorkspaceWords } from "../workspace-words.server";

/** The mail with the link of an invitation. `token` is of `invitationToken`, `site` an origin, `until` ISO 8601. */
export function invitationMail(
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
