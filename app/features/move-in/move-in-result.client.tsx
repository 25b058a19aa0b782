import type { ReactNode } from "react";
import { Section } from "~/ui/console/section";
import { MakeForm, type MakeFormProps } from "./make-form";
import type { MoveIn } from "./move-in";

/** What was found in somebody's files, and the form that makes a deployment of it. */
export default function MoveInResult(form: MakeFormProps) {
  return (
    <>
      <Parts found={form.found} />
      <MakeForm {...form} />
    </>
  );
}

function Parts({ found }: { found: MoveIn }) {
  const { mappings, secrets, unmapped, differences } = found;
  return (
    <div className="mt-10">
      <Section
        id="mappings"
        title="What is taken over"
        detail="Options of the deployment, with the lines that they come from. All other ones are defaults, and the wizard asks for each."
      >
        {mappings.length === 0 ? <p>Nothing but defaults.</p> : null}
        <Rows>
          {mappings.map(({ option, label, value, setting, ...at }) => (
            <Row key={`${option} ${setting} ${value}`} title={`${label}: ${value}`} at={at}>
              {setting}
            </Row>
          ))}
        </Rows>
      </Section>
      <Section
        id="secrets"
        title="What stays on your machine"
        detail="Keys and passwords are not sent, and no file of ours has them. On the same machine the deployment takes the API keys itself; on a new one you type them."
      >
        {secrets.length === 0 ? <p>There is none in these files.</p> : null}
        <Rows>
          {secrets.map(({ setting, reason, ...at }) => (
            <Row key={`${at.file} ${setting}`} title={reason} at={at}>
              {setting}
            </Row>
          ))}
        </Rows>
      </Section>
      <Section
        id="unmapped"
        title="What is not taken over"
        detail="Settings without a place in a deployment, and why."
      >
        {unmapped.length === 0 ? <p>Nothing is left out.</p> : null}
        <Rows>
          {unmapped.map(({ setting, reason, ...at }) => (
            <Row key={`${at.file} ${setting}`} title={setting} at={at}>
              {reason}
            </Row>
          ))}
        </Rows>
      </Section>
      <Section
        id="differences"
        title="What differs"
        detail="Settings of LiveKit as they are in effect: on your machine, and on one of this deployment."
      >
        {differences.length === 0 ? <p>Nothing.</p> : null}
        <Rows>
          {differences.map(({ setting, theirs, ours, reason, file, line = 1 }) => (
            <Row key={setting} title={setting} at={file === undefined ? undefined : { file, line }}>
              <span className="block text-ink">{`Yours: ${theirs}. Here: ${ours}.`}</span>
              {reason}
            </Row>
          ))}
        </Rows>
      </Section>
    </div>
  );
}

function Rows({ children }: { children: ReactNode[] }) {
  return children.length > 0 ? <ul className="border-t border-line">{children}</ul> : null;
}

function Row({
  title,
  at,
  children,
}: {
  title: string;
  /** Missing where no file says it. */
  at: { file: string; line: number } | undefined;
  children: ReactNode;
}) {
  return (
    <li className="border-b border-line py-3 text-sm">
      <p className="font-strong wrap-anywhere">{title}</p>
      <p className="mt-1 wrap-anywhere text-ink-soft">{children}</p>
      {at ? (
        <p className="mt-1 font-mono text-sm wrap-anywhere text-ink-soft">
          {`${at.file}, line ${at.line}`}
        </p>
      ) : null}
    </li>
  );
}
