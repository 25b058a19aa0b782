import * as z from "zod/mini";
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
export function mailNewAdmin(context: AppContext, about: NewAdmin): void {
  context.waitUntil(
    mailOwners(context, about).catch((error: unknown) => {
      log.error("A new admin was not mailed to the owners", describeError(error));
    }),
  );
}

async function mailOwners(context: AppContext, { workspace: id, person, actor }: NewAdmin) {
  const { configuration } = context;
  const database = serviceClient(configuration);
  const members = await allMembers(database, id, actor?.id ?? person);
  const { data: workspace } = await database
    .from("workspaces")
    .select("slug, name")
    .eq("id", id)
    .single()
    .throwOnError();
  const address = members.find(({ user_id }) => user_id === person)?.address ?? "Somebody";
  const owners = members.filter(
    ({ role, ...owner }) => role === "owner" && owner.address.includes("@"),
  );
  const { newAdmin: words } = await workspaceWords(context);
  const filled = (text: string) =>
    fill(text, { address, workspace: workspace.name, actor: actor?.email ?? "" });
  const subject = filled(words.subject);
  const mail = layOut({
    subject,
    paragraphs: [filled(actor ? words.byRole : words.byInvitation), words.advice],
    button: {
      label: words.button,
      address: `${configuration.SITE_URL}${workspaceBase(workspace.slug)}/members`,
    },
    footer: filled(words.footer),
  });
  for (const { address: to } of owners) {
    const response = await askResend(configuration, `new-admin-${crypto.randomUUID()}`, {
      ...{ to, replyTo: configuration.SUPPORT_EMAIL, subject },
      ...mail,
    });
    await response.body?.cancel();
    if (!response.ok) {
      const { status } = response;
      log.error("A new admin was not mailed to the owners", { workspace: id, status });
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
