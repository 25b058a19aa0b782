import { lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";
import { Form, useNavigation } from "react-router";
import { More } from "~/features/deployments/page/more";
import { Button } from "~/ui/primitives/button";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import type { AlertsView } from "./alerts-view.server";
import { turnWords } from "./channel";

type Forms = NonNullable<AlertsView["forms"]>;
type ServiceWords = Forms["services"][number];
/** A form that was refused: its intent, the service, why, and of what was typed that which is no secret. */
export type RefusedForm = {
  intent: string;
  kind: string;
  message: string;
  typed: Partial<Record<string, string>>;
};

/** One form for each kind of channel. */
export function AddChannel({
  view: { members, me, pushKey, deployments },
  forms,
  failed,
}: {
  view: AlertsView;
  forms: Forms;
  failed: RefusedForm | undefined;
}) {
  const { mail, push, services } = forms;
  const limits = <Limits words={forms.limits} deployments={deployments} />;
  const wrong = failed?.intent === "add-mail" ? failed.message : undefined;
  const isPushFailed = failed?.kind === "push";
  return (
    <div className="grid gap-2">
      <More summary={mail.summary} open={wrong !== undefined}>
        {members?.length ? (
          <AddForm intent="add-mail" button={mail.button} failure={wrong} limits={limits}>
            <SelectField
              name="person"
              label={mail.label}
              defaultValue={me}
              options={members.map(({ id, address }) => ({ value: id, label: address }))}
              hint={mail.hint}
            />
          </AddForm>
        ) : (
          <p className="pb-4">{members ? mail.all : mail.unread}</p>
        )}
      </More>
      {pushKey ? (
        <More summary={push.summary} open={isPushFailed}>
          {isPushFailed ? <Message kind="failure">{failed.message}</Message> : null}
          <p className="max-w-prose pb-4">{push.says}</p>
          <PushButton publicKey={pushKey} noScript={push.noScript} />
        </More>
      ) : null}
      {services.map((service) => {
        const { summary, intent = "add-service", kind = "" } = service;
        const refused = failed?.intent === intent && failed.kind === kind ? failed : undefined;
        return (
          <More key={summary} summary={summary} open={refused !== undefined}>
            <ServiceForm {...{ service, limits }} name={forms.name} failed={refused} />
          </More>
        );
      })}
    </div>
  );
}

const NotLoaded = () => <Message kind="failure">Load the page again.</Message>;
const PushSection = lazy(() =>
  import("./push-section.client").catch(() => ({ default: NotLoaded })),
);
const never = () => () => undefined;

/** Only a script can ask the browser for it, so it is loaded once one runs. */
function PushButton({ publicKey, noScript }: { publicKey: string; noScript: string }) {
  const isHere = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  if (!isHere) return <p className="pb-4">{noScript}</p>;
  return (
    <Suspense>
      <PushSection publicKey={publicKey} />
    </Suspense>
  );
}

function ServiceForm({
  service: { intent = "add-service", kind, button, fields },
  name,
  limits,
  failed,
}: {
  service: ServiceWords;
  limits: ReactNode;
  name: Forms["name"];
  failed: RefusedForm | undefined;
}) {
  const isOne = fields.length === 1;
  return (
    <AddForm {...{ intent, kind, button, limits }} failure={isOne ? undefined : failed?.message}>
      {[...fields, ...(kind ? [name] : [])].map((field) =>
        "options" in field && field.options ? (
          <SelectField key={field.name} {...field} options={field.options} />
        ) : (
          <TextField
            key={field.name}
            {...field}
            autoComplete="off"
            spellCheck={false}
            mono={field.name === "key"}
            inputMode={field.name === "url" ? "url" : undefined}
            maxLength={500}
            error={isOne && field !== name ? failed?.message : undefined}
            defaultValue={failed?.typed[field.name]}
          />
        ),
      )}
    </AddForm>
  );
}

function AddForm({
  intent,
  kind,
  button,
  failure,
  limits,
  children,
}: {
  intent: string;
  kind?: string | undefined;
  button: string;
  failure?: string | undefined;
  limits: ReactNode;
  children: ReactNode;
}) {
  const busy = useNavigation().state !== "idle";
  return (
    <Form method="post" noValidate preventScrollReset className="grid max-w-prose gap-4 pb-6">
      <input type="hidden" name="intent" value={intent} />
      {kind ? <input type="hidden" name="kind" value={kind} /> : null}
      {failure ? <Message kind="failure">{failure}</Message> : null}
      {children}
      <SelectField
        name="turn"
        label="When"
        options={Object.entries(turnWords).map(([value, label]) => ({ value, label }))}
      />
      <div className="grid gap-4">{limits}</div>
      <div>
        <Button type="submit" variant="secondary" disabled={busy}>
          {button}
        </Button>
      </div>
    </Form>
  );
}

function Limits({
  words: { what, deployment },
  deployments,
}: {
  words: Forms["limits"];
  deployments: AlertsView["deployments"];
}) {
  return (
    <>
      <SelectField name="what" {...what} />
      {deployments.length > 1 ? (
        <SelectField
          name="deployment"
          label={deployment.label}
          blank={deployment.all}
          options={deployments.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
    </>
  );
}
