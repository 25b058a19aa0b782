import { lazy, Suspense, useSyncExternalStore } from "react";
import { Form, useNavigation } from "react-router";
import { fill } from "~/features/workspaces/fill";
import {
  CodedText,
  ConfirmedForm,
  PageSection,
  RecentOnly,
} from "~/features/workspaces/page-parts";
import type { WorkspaceWords } from "~/features/workspaces/workspace-words.server";
import { shortMomentOf } from "~/ui/dates";
import { Button } from "~/ui/primitives/button";
import { SelectField } from "~/ui/primitives/fields";
import { fingerprintWords } from "../fingerprint";
import type { PasskeyTerms } from "./add-passkey.client";
import type { ApproverIntent, ApproverOutcome } from "./approver-changes.server";
import type { ListedPasskey } from "./approvers.server";

const AddPasskey = lazy(() => import("./add-passkey.client"));
const never = () => () => undefined;

/** What a section says of its form. What the servers have not heard of is done all the same. */
function said(
  outcome: ApproverOutcome | undefined,
  intent: ApproverIntent,
  { done, notSent }: { done: string; notSent: string },
) {
  if (outcome?.ok === false) return outcome.intent === intent ? { failure: outcome.message } : {};
  if (outcome?.done !== intent) return {};
  return outcome.isSent ? { done } : { failure: notSent };
}

type SectionProps = { words: WorkspaceWords; outcome: ApproverOutcome | undefined };

/** Only a script can make a passkey, so the form is loaded once one runs. */
export function NewPasskey({
  words,
  outcome,
  terms,
  isRecent,
}: SectionProps & { terms: PasskeyTerms; isRecent: boolean }) {
  const labels = words.approvers;
  const hasScript = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const refused = outcome?.ok === false && outcome.intent === "add-passkey" ? outcome : undefined;
  const added = outcome?.ok && outcome.done === "add-passkey" ? outcome.fingerprint : undefined;
  return (
    <PageSection
      id="add"
      title={labels.add}
      intro={labels.addSays}
      {...said(outcome, "add-passkey", {
        done: fill(labels.added, { fingerprint: fingerprintWords(added ?? "") }),
        notSent: fill(labels.addedNotSent, { fingerprint: fingerprintWords(added ?? "") }),
      })}
    >
      {!isRecent ? (
        <RecentOnly words={words} />
      ) : hasScript ? (
        <Suspense>
          <AddPasskey
            key={added ?? "new"}
            terms={terms}
            labels={labels.form}
            typed={refused?.name}
          />
        </Suspense>
      ) : (
        <p>{labels.noScript}</p>
      )}
    </PageSection>
  );
}

/** The passkeys of the workspace, each with the form that removes it. */
export function PasskeyList({
  words,
  outcome,
  passkeys,
  mayRemove,
}: SectionProps & {
  passkeys: readonly ListedPasskey[];
  mayRemove: (of: ListedPasskey) => boolean;
}) {
  const labels = words.approvers;
  return (
    <PageSection
      id="passkeys"
      title={labels.list}
      intro={<CodedText text={labels.listSays} />}
      {...said(outcome, "remove-passkey", {
        ...{ done: labels.removed, notSent: labels.removedNotSent },
      })}
    >
      {passkeys.length === 0 ? (
        <p className="text-ink-soft">{labels.none}</p>
      ) : (
        <ul className="border-t border-line">
          {passkeys.map((passkey) => (
            <li
              key={passkey.id}
              className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3"
            >
              <div className="min-w-0">
                <p className="font-strong wrap-anywhere">{passkey.name}</p>
                <p className="text-sm wrap-anywhere text-ink-soft">
                  {fill(labels.line, {
                    ...{ address: passkey.address, made: shortMomentOf(passkey.madeAt) },
                    used: passkey.usedAt
                      ? fill(labels.used, { at: shortMomentOf(passkey.usedAt) })
                      : labels.unused,
                  })}
                </p>
                <p className="text-sm wrap-anywhere">
                  <code>{fingerprintWords(passkey.fingerprint)}</code>
                </p>
              </div>
              {mayRemove(passkey) ? (
                <div className="text-sm">
                  <ConfirmedForm
                    summary={fill(labels.remove, { name: passkey.name })}
                    says={labels.removeSays}
                    button={labels.removeButton}
                    action="#passkeys"
                    fields={{
                      intent: "remove-passkey" satisfies ApproverIntent,
                      passkey: passkey.id,
                    }}
                  />
                </div>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </PageSection>
  );
}

/** How many people must approve each rollout. */
export function ApprovalsNeeded({
  words,
  outcome,
  needed,
  mayChange,
  isRecent,
}: SectionProps & { needed: number; mayChange: boolean; isRecent: boolean }) {
  const labels = words.approvers;
  const isSending = useNavigation().state !== "idle";
  return (
    <PageSection
      id="needed"
      title={labels.needed}
      intro={<CodedText text={labels.neededSays} />}
      {...said(outcome, "approvals-needed", {
        ...{ done: labels.neededSaved, notSent: labels.neededNotSent },
      })}
    >
      {!mayChange ? (
        <p>{needed === 2 ? labels.two : labels.one}</p>
      ) : !isRecent ? (
        <RecentOnly words={words} />
      ) : (
        <Form method="post" action="#needed" preventScrollReset className="grid max-w-dialog gap-5">
          <input type="hidden" name="intent" value="approvals-needed" />
          <SelectField
            name="needed"
            label={labels.neededLabel}
            options={[
              { value: "1", label: labels.one },
              { value: "2", label: labels.two },
            ]}
            defaultValue={String(needed)}
          />
          <div>
            <Button type="submit" variant="secondary" disabled={isSending}>
              {labels.neededButton}
            </Button>
          </div>
        </Form>
      )}
    </PageSection>
  );
}
