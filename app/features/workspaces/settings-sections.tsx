import { Form, type FormProps, useNavigation } from "react-router";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { fill } from "./fill";
import type { WorkspaceSummary } from "./my-workspaces.server";
import { PageSection, RecentOnly } from "./page-parts";
import type { SettingsIntent, SettingsOutcome } from "./settings-changes.server";
import type { WorkspaceWords } from "./workspace-words.server";

export type SettingsView = {
  words: WorkspaceWords;
  workspace: WorkspaceSummary;
  /** Whether the user signed in within the last 15 minutes. */
  recent: boolean;
};

type SectionProps = { view: SettingsView; outcome: SettingsOutcome | undefined };

/** The refusal of this form, if it was the one that was just sent. */
function refusalOf(intent: SettingsIntent, outcome: SettingsOutcome | undefined) {
  return outcome?.ok === false && outcome.intent === intent ? outcome : undefined;
}

/** A form of the page. It works without JavaScript, and the answer shows the same section. */
function SettingsForm({
  section,
  intent,
  children,
  ...rest
}: { section: string; intent: SettingsIntent } & Omit<FormProps, "action" | "method">) {
  return (
    <Form method="post" action={`#${section}`} noValidate preventScrollReset {...rest}>
      <input type="hidden" name="intent" value={intent} />
      {children}
    </Form>
  );
}

function SubmitButton(props: Parameters<typeof Button>[0]) {
  return <Button type="submit" disabled={useNavigation().state !== "idle"} {...props} />;
}

export function NameSection({ view: { words, workspace }, outcome }: SectionProps) {
  const labels = words.settings.name;
  const failed = refusalOf("rename", outcome);
  return (
    <PageSection id="name" title={labels.title} intro={labels.intro}>
      <SettingsForm section="name" intent="rename" className="grid max-w-dialog gap-4">
        <TextField
          key={failed?.typed ?? workspace.name}
          label={labels.label}
          name="name"
          maxLength={80}
          autoComplete="off"
          required
          defaultValue={failed?.typed ?? workspace.name}
          error={failed?.message}
        />
        <div>
          <SubmitButton variant="secondary">{labels.button}</SubmitButton>
        </div>
      </SettingsForm>
    </PageSection>
  );
}

export function FactorSection({ view: { words, workspace, recent }, outcome }: SectionProps) {
  const labels = words.settings.factor;
  const { needsSecondFactor } = workspace;
  const failed = refusalOf("factor", outcome);
  return (
    <PageSection
      id="second-factor"
      title={labels.title}
      intro={labels.intro}
      failure={failed?.message}
    >
      <p className="mb-4">{needsSecondFactor ? labels.on : labels.off}</p>
      {recent ? (
        <SettingsForm section="second-factor" intent="factor">
          <input type="hidden" name="wanted" value={needsSecondFactor ? "no" : "yes"} />
          <SubmitButton variant="secondary">
            {needsSecondFactor ? labels.stop : labels.ask}
          </SubmitButton>
        </SettingsForm>
      ) : (
        <RecentOnly words={words} />
      )}
    </PageSection>
  );
}

export function AuditSection({ view: { words, workspace } }: Pick<SectionProps, "view">) {
  const { intro, link } = words.settings.audit;
  return (
    <PageSection
      id="audit"
      title={words.audit.title}
      intro={fill(intro, { workspace: workspace.name })}
    >
      <TextLink to={`${workspace.base}/audit`} variant="standalone">
        {link}
      </TextLink>
    </PageSection>
  );
}

export function TokensSection({ view: { words, workspace } }: Pick<SectionProps, "view">) {
  const { title, intro, link } = words.settings.tokens;
  return (
    <PageSection id="tokens" title={title} intro={fill(intro, { workspace: workspace.name })}>
      <TextLink to={`${workspace.base}/tokens`} variant="standalone">
        {link}
      </TextLink>
    </PageSection>
  );
}

export function WebhooksSection({ view: { words, workspace } }: Pick<SectionProps, "view">) {
  const { title, intro, link } = words.settings.webhooks;
  return (
    <PageSection id="webhooks" title={title} intro={fill(intro, { workspace: workspace.name })}>
      <TextLink to={`${workspace.base}/webhooks`} variant="standalone">
        {link}
      </TextLink>
    </PageSection>
  );
}

export function ApproversSection({ view: { words, workspace } }: Pick<SectionProps, "view">) {
  const { title, intro, link } = words.settings.approvers;
  return (
    <PageSection id="approvers" title={title} intro={fill(intro, { workspace: workspace.name })}>
      <TextLink to={`${workspace.base}/approvers`} variant="standalone">
        {link}
      </TextLink>
    </PageSection>
  );
}

/** Asks twice: the first press names the member, the second hands over. */
export function HandOverSection({ view: { words, workspace, recent }, outcome }: SectionProps) {
  const labels = words.settings.handOver;
  const failed = refusalOf("hand-over", outcome);
  const sure = outcome?.ok === true && "sure" in outcome ? outcome.sure : undefined;
  return (
    <PageSection id="hand-over" title={labels.title} intro={labels.intro}>
      {!recent ? (
        <RecentOnly words={words} />
      ) : sure === undefined ? (
        <SettingsForm section="hand-over" intent="hand-over" className="grid max-w-dialog gap-4">
          <TextField
            label={labels.label}
            name="address"
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            required
            defaultValue={failed?.typed}
            error={failed?.message}
          />
          <div>
            <SubmitButton variant="danger">{labels.button}</SubmitButton>
          </div>
        </SettingsForm>
      ) : (
        <Message kind="warning">
          <p className="wrap-anywhere">
            {fill(labels.sure, { address: sure, workspace: workspace.name })}
          </p>
          <SettingsForm
            section="hand-over"
            intent="hand-over"
            className="mt-4 flex flex-wrap items-center gap-4"
          >
            <input type="hidden" name="address" value={sure} />
            <input type="hidden" name="sure" value="yes" />
            <SubmitButton variant="danger" className="wrap-anywhere">
              {fill(labels.sureButton, { workspace: workspace.name })}
            </SubmitButton>
            <TextLink to="?" variant="standalone">
              {labels.keep}
            </TextLink>
          </SettingsForm>
        </Message>
      )}
    </PageSection>
  );
}

export function DeleteSection({ view: { words, workspace, recent }, outcome }: SectionProps) {
  const labels = words.settings.delete;
  const failed = refusalOf("delete", outcome);
  return (
    <PageSection id="delete" title={labels.title} intro={labels.intro}>
      <ol className="list-decimal pl-5">
        {labels.consequences.map((consequence) => (
          <li key={consequence} className="mb-1.5 pl-1">
            {consequence}
          </li>
        ))}
      </ol>
      <p className="mt-3 mb-6 max-w-prose text-ink-soft">{labels.kept}</p>
      {recent ? (
        <SettingsForm section="delete" intent="delete" className="grid max-w-dialog gap-4">
          <TextField
            label={labels.label}
            name="confirmation"
            autoComplete="off"
            spellCheck={false}
            maxLength={80}
            required
            defaultValue={failed?.typed}
            error={failed?.message}
            hint={
              <span className="wrap-anywhere">
                {fill(labels.hint, { workspace: workspace.name })}
              </span>
            }
          />
          <div>
            <SubmitButton variant="danger" className="wrap-anywhere">
              {fill(labels.button, { workspace: workspace.name })}
            </SubmitButton>
          </div>
        </SettingsForm>
      ) : (
        <RecentOnly words={words} />
      )}
    </PageSection>
  );
}
