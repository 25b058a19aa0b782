import { useEffect, useState } from "react";
import { useMay } from "~/features/workspaces/roles";
import { useConsoleBase } from "~/ui/console/console-path";
import { dayOf } from "~/ui/dates";
import { LinkButton } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import { shellWord } from "../bundle/quoting.ts";
import { CommandBox } from "../page/command-box";
import type { SeveralMachines } from "../words/several-machines";
import { AddressForm } from "./address-form";
import { FilesLine } from "./files-line";
import { laterSteps, nextStep } from "./later-steps";
import { answerWords } from "./look-words";
import { RecordsTable } from "./records-table";
import { Mark, Step } from "./step";
import type { StepOutcome } from "./step-forms.server";
import type { StepsView } from "./steps-view.server";
import { useLook } from "./use-look";

/**
 * The five steps from the description to a connected app. Each shows the one value that it is about; the rest of the
 * next step is open, and of the others it can be opened.
 */
export function ServerSteps({
  view,
  outcome = {},
  page,
  quotaRefusal,
}: {
  view: StepsView;
  /** What a form of the steps was answered on this page. */
  outcome?: StepOutcome | undefined;
  /** Which page the forms lead back to. */
  page: "overview" | "deployment";
  /** Why no further server can be connected. */
  quotaRefusal: string | undefined;
}) {
  const { states, domain, address, several } = view;
  const mayDescribe = useMay("describe");
  const base = useConsoleBase();
  const here = `${base}/deployments/${view.id}`;
  const next = nextStep(states);
  const looking = useLook(view, outcome.look);
  const [keyName, keepKeyName] = useKeyName();
  const forms = { action: here, page, version: view.version };
  const step = (id: (typeof laterSteps)[number]) => ({
    number: laterSteps.indexOf(id) + 2,
    state: states[id],
    isNext: id === next,
    mark: mayDescribe ? <Mark step={id} state={states[id]} {...forms} /> : null,
  });
  return (
    <ol className="border-t border-line">
      <Step
        number={1}
        title="Describe it"
        state={{ done: true }}
        value={<CommandBox text={domain} label="the domain" />}
        summary="What you chose"
      >
        <p>{[view.displayDomain, ...view.machine].join(" · ")}</p>
        {mayDescribe ? (
          <TextLink to={`${here}/edit`} variant="standalone">
            Change it
          </TextLink>
        ) : null}
      </Step>
      <Step
        {...step("machine")}
        title={several ? "Create the machines" : "Create VM"}
        value={
          <>
            <FilesLine view={view} here={here} quotaRefusal={quotaRefusal} {...forms} />
            {several ? (
              <MakeSeveral several={several} />
            ) : view.create ? (
              <CommandBox
                text={withKeyName(view.create, keyName)}
                label="the command that creates the VM"
              />
            ) : (
              <p>
                Create a machine with Ubuntu 24.04 and a public address that stays, and give it
                cloud-init.yaml as user data. The README says the rest.
              </p>
            )}
            {several ? null : (
              <p className="text-sm text-ink-soft">
                A LiveKit of yours runs on a machine already?{" "}
                <TextLink to="/docs/move-in#on-the-same-machine">Move in there</TextLink> instead,
                with the same files.
              </p>
            )}
          </>
        }
        summary={several ? `The address of the ${several.entrance}` : "Your key, and the address"}
      >
        {view.placeholders.length > 0 ? (
          <ul className="grid gap-1">
            {view.placeholders.map(({ word, meaning, list }) => (
              <li key={word} className="wrap-anywhere">
                <code className="font-mono text-sm">{word}</code>
                <span> is {meaning}</span>
                {list ? (
                  <span>
                    : <code className="font-mono text-sm">{list}</code>
                  </span>
                ) : null}
                <span>.</span>
              </li>
            ))}
          </ul>
        ) : null}
        {view.create ? (
          <p className="max-w-prose text-sm text-ink-soft">
            Or by Terraform or OpenTofu: main.tf makes the same. The README says how.
          </p>
        ) : null}
        {view.create && asksForKeyName(view.create) ? (
          <div className="not-scripted:hidden sm:max-w-96">
            <TextField
              label="Name of your SSH key at the provider"
              hint="It is filled into the commands, and kept in this browser only."
              value={keyName}
              onChange={({ target }) => keepKeyName(target.value)}
              maxLength={255}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          </div>
        ) : null}
        {mayDescribe ? <AddressForm view={view} typed={outcome.typed} {...forms} /> : null}
      </Step>
      <Step
        {...step("dns")}
        title="DNS"
        value={
          address ? (
            <CommandBox text={address.ipv4 ?? address.ipv6 ?? ""} label="the address" />
          ) : (
            <p className="text-ink-soft">
              {several
                ? `The address is that of the ${several.entrance}: paste it in step 2 once it is known.`
                : "The address is known once the VM is there: paste it in step 2."}
            </p>
          )
        }
        summary="Records to set"
      >
        <RecordsTable view={view} check={looking.check} />
        {address ? <CheckForm action={here} {...looking} /> : null}
      </Step>
      <Step
        {...step("doctor")}
        title="Doctor"
        value={
          <CommandBox
            text={
              several
                ? "sh cluster.sh doctor"
                : `${withKeyName(view.login, keyName)}${view.login.startsWith("gcloud") ? " --command=" : " "}'cloud-init status --wait; sudo livekit-deploy doctor'`
            }
            label="the command that runs the doctor"
          />
        }
        summary="How the server answers"
      >
        <p role="status">
          {looking.check?.answer || !states.answer.done
            ? answerWords(looking.check?.answer, domain)
            : `https://${domain} answered on ${dayOf(states.answer.at)}.`}
        </p>
        <p className="text-ink-soft">
          {`The doctor looks at DNS, ports, certificates and services from ${several ? "each machine" : "the server"} itself, and says what to do next.`}
        </p>
      </Step>
      <Step
        {...step("connect")}
        title="Connect"
        value={
          <CommandBox text={`LIVEKIT_URL=wss://${domain}`} label="the server's address for apps" />
        }
        summary="Key, tokens and a test call"
      >
        <p>
          <span>{`On ${several?.keysAt ?? "the server"}, `}</span>
          <code className="font-mono text-sm">sudo livekit-deploy credentials</code>
          <span> shows the API key and its secret.</span>
        </p>
        <div className="flex flex-wrap gap-3">
          <LinkButton to={`${here}/call`} reloadDocument>
            Make a test call
          </LinkButton>
          <LinkButton to={`${here}/connect`} variant="secondary">
            Connect your app
          </LinkButton>
        </div>
      </Step>
    </ol>
  );
}

/** How several machines come to be, and become one deployment. */
function MakeSeveral({ several: { words, network, make } }: { several: SeveralMachines }) {
  return (
    <>
      <p className="max-w-prose">
        {`Create ${words}, in the private network ${network}: all machines from these files, as their README says. Then run this on your computer, beside the files:`}
      </p>
      <CommandBox text={make} label="the command that makes them a cluster" />
    </>
  );
}

const storageKey = "sshKeyName";
const placeholder = "MY_KEY";

/** What somebody's SSH key is called at the provider, kept in this browser where it allows that. */
function useKeyName(): [name: string, keep: (name: string) => void] {
  const [name, setName] = useState("");
  // The server knows no name, so the first render has none.
  useEffect(() => {
    try {
      setName(localStorage.getItem(storageKey) ?? "");
    } catch {}
  }, []);
  function keep(typed: string) {
    setName(typed);
    try {
      localStorage.setItem(storageKey, typed);
    } catch {}
  }
  return [name, keep];
}

/** Whether a command asks for the name of a key. */
function asksForKeyName(command: string): boolean {
  return command.includes(placeholder);
}

/** A command with the key's name in it, once there is one. */
function withKeyName(command: string, name: string): string {
  const word = shellWord(name.trim());
  return name.trim() === "" ? command : command.replaceAll(placeholder, () => word);
}

/**
 * Looks at the records and the server now. The answer stays on this page: it is the one that the page asks for by itself.
 */
function CheckForm({
  action,
  check,
  isLooking,
  isWaiting,
  message,
  Form,
}: ReturnType<typeof useLook> & { action: string }) {
  return (
    <Form method="post" action={action} preventScrollReset className="text-sm">
      <input type="hidden" name="intent" value="look" />
      <div className="flex flex-wrap items-center gap-x-4">
        <TextButton type="submit" variant="standalone">
          Look now
        </TextButton>
        <p role="status" className="text-ink-soft">
          <span>
            {isLooking
              ? "Looking..."
              : check
                ? `Looked at ${new Date(check.at).toISOString().slice(11, 19)} UTC. `
                : "New records can take some minutes to be seen. "}
          </span>
          {isWaiting && check && !isLooking ? (
            <span className="not-scripted:hidden">
              This page looks again every {check.againIn} seconds until all is right.
            </span>
          ) : null}
        </p>
      </div>
      {message ? <Message kind="warning">{message}</Message> : null}
    </Form>
  );
}
