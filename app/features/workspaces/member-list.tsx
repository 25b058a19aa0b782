import { Form, type FormProps, useNavigation } from "react-router";
import type { Role } from "~/platform/database/role-rights";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { SelectField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { fill } from "./fill";
import type { MemberIntent, MemberOutcome } from "./member-changes.server";
import type { MembersView } from "./members-view.server";
import { ConfirmedForm, SignInAgain } from "./page-parts";
import { roleMay, rolesGivenBy } from "./roles";

type Listed = NonNullable<MembersView["members"]>["listed"][number];

/** The members, fifty on a page, and for each what the user may change. */
export function MemberList({
  view,
  outcome,
}: {
  view: MembersView;
  outcome: MemberOutcome | undefined;
}) {
  const { members, words } = view;
  if (!members) return <Message kind="warning">{words.members.unreadable}</Message>;
  const owners = members.listed.filter(({ role }) => role === "owner").length;
  const isWhole = members.isFirstPage && !members.next;
  return (
    <>
      <Card as="ul" flush className="divide-y divide-line">
        {members.listed.map((member) => (
          <li key={member.id} className="p-4 sm:px-6">
            <Member
              member={member}
              view={view}
              outcome={outcome}
              isLastOwner={isWhole && owners === 1 && member.role === "owner"}
            />
          </li>
        ))}
      </Card>
      {roleMay(view.workspace.role, "own") &&
      isWhole &&
      owners === 1 &&
      members.listed.length > 1 ? (
        <p className="mt-3 text-sm wrap-anywhere text-ink-soft">
          {fill(words.members.oneOwner, { workspace: view.workspace.name })}
        </p>
      ) : null}
      {isWhole ? null : (
        <p className="mt-3 flex gap-6">
          {members.isFirstPage ? null : (
            <TextLink to="?" variant="standalone">
              {words.members.first}
            </TextLink>
          )}
          {members.next ? (
            <TextLink to={`?after=${encodeURIComponent(members.next)}`} variant="standalone">
              {words.members.next}
            </TextLink>
          ) : null}
        </p>
      )}
    </>
  );
}

function Member({
  member,
  view,
  outcome,
  isLastOwner,
}: {
  member: Listed;
  view: MembersView;
  outcome: MemberOutcome | undefined;
  isLastOwner: boolean;
}) {
  const { words, workspace, me } = view;
  const labels = words.members;
  const isMe = member.id === me;
  const failure = (intent: string) =>
    outcome?.ok === false && outcome.form === `${intent} ${member.id}`
      ? outcome.message
      : undefined;
  // What is about owners only owners do.
  const mayChange =
    roleMay(workspace.role, "members") &&
    (member.role !== "owner" || roleMay(workspace.role, "own"));
  const failed = failure("role") ?? failure("remove");
  return (
    <div className="grid gap-x-6 gap-y-3 sm:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-strong wrap-anywhere">
          <span>{member.address}</span>
          {isMe ? <Badge variant="success">{labels.you}</Badge> : null}
        </p>
        <p className="mt-1 text-sm text-ink-soft">
          {words.roles[member.role].name} · {fill(labels.since, { day: member.since })}
        </p>
      </div>
      {mayChange && !isLastOwner ? (
        <RoleForm member={member} view={view} typed={roleTyped(outcome, member)} />
      ) : null}
      {isMe && workspace.isShared ? (
        <div className="sm:col-span-2">
          {isLastOwner ? (
            <p className="text-sm text-ink-soft">{labels.lastOwner}</p>
          ) : (
            <ConfirmedForm
              summary={labels.leave}
              says={labels.leaveSays}
              button={labels.leaveButton}
              about={workspace.name}
              fields={{ intent: "leave" satisfies MemberIntent }}
            />
          )}
        </div>
      ) : null}
      {mayChange && !isMe ? (
        <div className="sm:col-span-2">
          <ConfirmedForm
            summary={labels.remove}
            says={fill(labels.removeSays, {
              address: member.address,
              tokens: tokensSay(view, member.id),
              channels: channelsSay(view, member.id),
            })}
            button={labels.removeButton}
            about={member.address}
            fields={{ intent: "remove" satisfies MemberIntent, person: member.id }}
          />
        </div>
      ) : null}
      {failed ? (
        <Message kind="failure" className="sm:col-span-2">
          <span>{failed}</span>
          {outcome?.ok === false && outcome.needsSignIn ? (
            <div className="mt-3">
              <SignInAgain words={words} />
            </div>
          ) : null}
        </Message>
      ) : null}
    </div>
  );
}

/** What becomes of the tokens of somebody who is removed. */
function tokensSay({ tokens, words: { members: labels } }: MembersView, id: string): string {
  if (!tokens) return labels.removeTokensUnread;
  const count = tokens[id] ?? 0;
  if (count === 0) return labels.removeNoTokens;
  return count === 1 ? labels.removeOneToken : fill(labels.removeTokens, { count });
}

/** What becomes of the channels of somebody who is removed. */
function channelsSay({ channels, words: { members: labels } }: MembersView, id: string): string {
  if (!channels) return labels.removeChannelsUnread;
  const titles = channels[id] ?? [];
  if (titles.length === 0) return labels.removeNoChannels;
  return fill(labels.removeChannels, { channels: titles.join("; ") });
}

function roleTyped(outcome: MemberOutcome | undefined, { id }: Listed): string | undefined {
  return outcome?.ok === false && outcome.form === `role ${id}` ? outcome.typed.role : undefined;
}

function RoleForm({
  member,
  view: { words, workspace },
  typed,
}: {
  member: Listed;
  view: MembersView;
  typed: string | undefined;
}) {
  const busy = useNavigation().state !== "idle";
  return (
    <MemberForm intent="role" person={member.id} className="flex items-end gap-3">
      <SelectField
        // The role that is stored now, once it has changed.
        key={member.role}
        name="role"
        label={fill(words.members.role, { address: member.address })}
        hasUnseenLabel
        options={optionsOf(rolesGivenBy(workspace.role), words.roles)}
        defaultValue={typed ?? member.role}
      />
      <Button type="submit" variant="secondary" disabled={busy}>
        {words.members.changeRole}
        <span className="sr-only"> {fill(words.members.role, { address: member.address })}</span>
      </Button>
    </MemberForm>
  );
}

/** Roles as the options of a select. */
export function optionsOf(
  roles: readonly Role[],
  words: MembersView["words"]["roles"],
): { value: Role; label: string }[] {
  return roles.map((value) => ({ value, label: words[value].name }));
}

/** A form of the members page: about a member, an invitation, or neither. It works without JavaScript. */
export function MemberForm({
  intent,
  person,
  invitation,
  children,
  ...rest
}: {
  intent: MemberIntent;
  person?: string | undefined;
  invitation?: string;
} & Omit<FormProps, "action" | "method">) {
  return (
    <Form method="post" noValidate preventScrollReset {...rest}>
      <input type="hidden" name="intent" value={intent} />
      {person ? <input type="hidden" name="person" value={person} /> : null}
      {invitation ? <input type="hidden" name="invitation" value={invitation} /> : null}
      {children}
    </Form>
  );
}
