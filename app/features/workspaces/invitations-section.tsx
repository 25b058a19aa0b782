import { useNavigation } from "react-router";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { fill } from "./fill";
import type { MemberOutcome } from "./member-changes.server";
import { MemberForm, optionsOf } from "./member-list";
import type { MembersView } from "./members-view.server";
import { PageSection, SignInAgain } from "./page-parts";
import { rolesGivenBy } from "./roles";

type Listed = NonNullable<MembersView["invitations"]>[number];

/** Who is invited, and the form that invites. */
export function InvitationsSection({
  view,
  outcome,
}: {
  view: MembersView;
  outcome: MemberOutcome | undefined;
}) {
  const { words, invitations, mayInvite } = view;
  const labels = words.invitations;
  return (
    <PageSection id="invitations" title={labels.title} intro={labels.intro}>
      {mayInvite ? <InviteForm view={view} outcome={outcome} /> : <p>{labels.notAllowed}</p>}
      {!mayInvite ? null : invitations === undefined ? (
        <Message kind="warning" className="mt-8">
          {labels.unreadable}
        </Message>
      ) : invitations.length === 0 ? (
        <p className="mt-8 text-ink-soft">{labels.none}</p>
      ) : (
        <Card as="ul" flush className="mt-8 divide-y divide-line">
          {invitations.map((invitation) => (
            <li key={invitation.id} className="p-4 sm:px-6">
              <Invited invitation={invitation} view={view} outcome={outcome} />
            </li>
          ))}
        </Card>
      )}
    </PageSection>
  );
}

function InviteForm({
  view: { words, workspace },
  outcome,
}: {
  view: MembersView;
  outcome: MemberOutcome | undefined;
}) {
  const busy = useNavigation().state !== "idle";
  const labels = words.invitations;
  const failed = outcome?.ok === false && outcome.form === "invite" ? outcome : undefined;
  return (
    // A new form once an invitation was sent.
    <MemberForm
      key={failed ? "failed" : outcome?.ok ? "sent" : ""}
      intent="invite"
      className="grid gap-5"
    >
      {workspace.isShared ? null : (
        <TextField
          label={labels.workspaceName}
          name="name"
          hint={labels.workspaceNameHint}
          // Two people who are each alone would otherwise share two workspaces of one name.
          defaultValue={failed?.typed.name ?? (workspace.name === "Personal" ? "" : workspace.name)}
          maxLength={80}
          autoComplete="off"
          required
        />
      )}
      <div className="grid gap-5 sm:grid-cols-[1fr_auto]">
        <TextField
          label={labels.address}
          name="address"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          error={failed?.needsSignIn ? undefined : failed?.message}
          defaultValue={failed?.typed.address}
          required
        />
        <SelectField
          label={labels.role}
          name="role"
          options={optionsOf(
            rolesGivenBy(workspace.role).filter((role) => role !== "owner"),
            words.roles,
          )}
          defaultValue={failed?.typed.role || "operator"}
        />
      </div>
      {failed?.needsSignIn ? (
        <Message kind="failure">
          {failed.message}
          <div className="mt-3">
            <SignInAgain words={words} />
          </div>
        </Message>
      ) : null}
      <div>
        <Button type="submit" disabled={busy}>
          {labels.send}
        </Button>
      </div>
    </MemberForm>
  );
}

function Invited({
  invitation,
  view: { words },
  outcome,
}: {
  invitation: Listed;
  view: MembersView;
  outcome: MemberOutcome | undefined;
}) {
  const busy = useNavigation().state !== "idle";
  const labels = words.invitations;
  const { id, address, role, sends, until } = invitation;
  const failed =
    outcome?.ok === false && outcome.form.endsWith(` ${id}`) ? outcome.message : undefined;
  return (
    <div className="grid items-start gap-x-6 gap-y-3 md:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p className="font-strong wrap-anywhere">{address}</p>
        <p className="mt-1 text-sm text-ink-soft">
          {`${words.roles[role].name} · ${until ? fill(labels.until, { day: until }) : labels.expired} · ${fill(labels.sends, { sends })}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {sends < 5 ? (
          <MemberForm intent="resend" invitation={id}>
            <Button type="submit" variant="secondary" disabled={busy}>
              {labels.again} <span className="sr-only">({address})</span>
            </Button>
          </MemberForm>
        ) : null}
        <MemberForm intent="withdraw" invitation={id}>
          <Button type="submit" variant="danger" disabled={busy}>
            {labels.withdraw} <span className="sr-only">({address})</span>
          </Button>
        </MemberForm>
      </div>
      {failed ? (
        <Message kind="failure" className="md:col-span-2">
          {failed}
        </Message>
      ) : null}
    </div>
  );
}
