import { Form, useNavigation } from "react-router";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextLink } from "~/ui/primitives/text-link";
import { fill } from "../fill";
import { PageSection, RecentOnly } from "../page-parts";
import type { SettingsOutcome } from "../settings-changes.server";
import type { WorkspaceWords } from "../workspace-words.server";
import type { SsoLosses } from "./sso-changes.server";
import type { SsoView } from "./sso-view.server";

type Labels = WorkspaceWords["settings"]["sso"];

/** A form of the section: one press, or a press with a value. */
function SsoForm({
  act,
  value,
  sure = false,
  children,
  className,
}: {
  act: string;
  value?: string;
  /** Whether the owner has read who loses something by it. */
  sure?: boolean;
  children: React.ReactNode;
  className?: string;
}) {
  return (
    <Form method="post" action="#sso" noValidate preventScrollReset className={className}>
      <input type="hidden" name="intent" value="sso" />
      <input type="hidden" name="act" value={act} />
      {value === undefined ? null : <input type="hidden" name="value" value={value} />}
      {sure ? <input type="hidden" name="sure" value="yes" /> : null}
      {children}
    </Form>
  );
}

function SsoButton(props: Parameters<typeof Button>[0]) {
  return (
    <Button
      type="submit"
      variant="secondary"
      disabled={useNavigation().state !== "idle"}
      {...props}
    />
  );
}

/** Single sign-on of a workspace: domains with their records, the provider's metadata, and whom it binds. */
export function SsoSection({
  sso,
  workspace,
  words,
  recent,
  outcome,
}: {
  sso: NonNullable<SsoView>;
  workspace: string;
  words: WorkspaceWords;
  recent: boolean;
  outcome: SettingsOutcome | undefined;
}) {
  const labels = words.settings.sso;
  const failed = outcome?.ok === false && outcome.intent === "sso" ? outcome : undefined;
  const role = words.roles.viewer.name;
  if (outcome?.ok === true && "losses" in outcome) {
    const { losses } = outcome;
    return (
      <PageSection id="sso" title={labels.title}>
        <ConfirmLosses
          losses={losses}
          labels={labels}
          values={{ workspace, role, domain: losses.value }}
        />
      </PageSection>
    );
  }
  return (
    <PageSection
      id="sso"
      title={labels.title}
      intro={fill(labels.intro, { role })}
      failure={failed?.message}
    >
      {sso === "none" ? (
        <p>
          {labels.none} <TextLink to="/contact">{labels.ask}</TextLink>
        </p>
      ) : (
        <>
          <p className="mb-4">
            {sso.isConnected ? labels.connected : sso.isReady ? labels.waiting : labels.begin}
          </p>
          <Domains domains={sso.domains} labels={labels} recent={recent} />
          {recent ? (
            <>
              <SsoForm act="add" className="mt-6 grid max-w-dialog gap-4">
                <TextField
                  label={labels.domain}
                  name="value"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  maxLength={253}
                  required
                  defaultValue={failed?.typed}
                />
                <div>
                  <SsoButton>{labels.add}</SsoButton>
                </div>
              </SsoForm>
              {sso.isConnected ? (
                <Binding isRequired={sso.isRequired} labels={labels} role={role} />
              ) : (
                <SsoForm act="metadata" className="mt-6 grid max-w-dialog gap-4">
                  <TextField
                    label={labels.metadata}
                    name="value"
                    type="url"
                    autoComplete="off"
                    maxLength={500}
                    required
                    defaultValue={sso.metadata}
                    hint={labels.metadataHint}
                  />
                  <div>
                    <SsoButton>{labels.save}</SsoButton>
                  </div>
                </SsoForm>
              )}
            </>
          ) : (
            <div className="mt-6">
              <RecentOnly words={words} />
            </div>
          )}
        </>
      )}
    </PageSection>
  );
}

function Domains({
  domains,
  labels,
  recent,
}: {
  domains: Exclude<SsoView, "none" | undefined>["domains"];
  labels: Labels;
  recent: boolean;
}) {
  if (domains.length === 0) return <p>{labels.noDomains}</p>;
  return (
    <Card as="ul" flush className="divide-y divide-line">
      {domains.map(({ domain, record, since }) => (
        <li key={domain} className="grid gap-3 p-4 sm:px-6">
          <p className="flex flex-wrap items-center gap-3">
            <span className="font-strong wrap-anywhere">{domain}</span>
            <Badge variant={since ? "success" : "warning"}>
              {since ? labels.verified : labels.unverified}
            </Badge>
          </p>
          {since ? null : (
            <div className="text-sm">
              <p className="text-ink-soft">{labels.record}</p>
              <p className="mt-1 font-mono wrap-anywhere">{record.name}</p>
              <p className="mt-1 font-mono wrap-anywhere">{record.text}</p>
            </div>
          )}
          {recent ? (
            <div className="flex flex-wrap gap-3">
              {since ? null : (
                <SsoForm act="verify" value={domain}>
                  <SsoButton>{labels.check.replace("{domain}", domain)}</SsoButton>
                </SsoForm>
              )}
              <SsoForm act="remove" value={domain}>
                <SsoButton variant="danger">{labels.remove.replace("{domain}", domain)}</SsoButton>
              </SsoForm>
            </div>
          ) : null}
        </li>
      ))}
    </Card>
  );
}

/** Names what is lost and by whom, before it is. */
function ConfirmLosses({
  losses: { act, value, losers },
  labels: { sure: labels },
  values,
}: {
  losses: SsoLosses;
  labels: Labels;
  values: Readonly<Record<string, string>>;
}) {
  const shown = losers.slice(0, 20);
  return (
    <Message kind="warning">
      <p className="wrap-anywhere">{fill(labels[act], values)}</p>
      <p className="mt-3">{losers.length > 0 ? labels.losers : labels.nobody}</p>
      {losers.length > 0 ? (
        <ul className="mt-2 list-disc pl-5">
          {shown.map((address) => (
            <li key={address} className="wrap-anywhere">
              {address}
            </li>
          ))}
          {losers.length > shown.length ? (
            <li>{fill(labels.more, { count: `${losers.length - shown.length}` })}</li>
          ) : null}
        </ul>
      ) : null}
      <SsoForm act={act} value={value} sure className="mt-4 flex flex-wrap items-center gap-4">
        <SsoButton variant="danger" className="wrap-anywhere">
          {fill(labels[`${act}-button`], values)}
        </SsoButton>
        <TextLink to="?" variant="standalone">
          {labels.keep}
        </TextLink>
      </SsoForm>
    </Message>
  );
}

function Binding({
  isRequired,
  labels,
  role,
}: {
  isRequired: boolean;
  labels: Labels;
  role: string;
}) {
  return (
    <div className="mt-8 grid gap-4">
      <p className="max-w-prose">{isRequired ? labels.required : labels.free}</p>
      <div className="flex flex-wrap gap-3">
        <SsoForm act={isRequired ? "free" : "require"}>
          <SsoButton>{isRequired ? labels.stopRequiring : labels.require}</SsoButton>
        </SsoForm>
        <SsoForm act="end">
          <SsoButton variant="danger">{labels.end}</SsoButton>
        </SsoForm>
      </div>
      <p className="max-w-prose text-sm text-ink-soft">{fill(labels.endHint, { role })}</p>
    </div>
  );
}
