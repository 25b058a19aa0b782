import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { CommandBox } from "~/features/deployments/page/command-box";
import { ConfirmedForm } from "~/features/workspaces/page-parts";
import { useMay } from "~/features/workspaces/roles";
import { Moment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { Card } from "~/ui/primitives/card";
import { SelectField, TextField } from "~/ui/primitives/fields";
import { Message } from "~/ui/primitives/message";
import { pressable } from "~/ui/primitives/text-link";
import { hourOptions } from "../hours";
import type { AlertIntent } from "./alert-changes.server";
import type { AlertsView, ChannelLine } from "./alerts-view.server";

type QuietWords = NonNullable<AlertsView["forms"]>["times"]["quiet"];

/** The channels of one turn, and for each what may be done with it. */
export function ChannelList({
  channels,
  quietWords,
}: {
  channels: readonly ChannelLine[];
  /** Undefined where quiet hours cannot be set. */
  quietWords: QuietWords | undefined;
}) {
  return (
    <Card as="ul" flush className="divide-y divide-line">
      {channels.map((channel) => (
        <li key={channel.id} className="grid gap-3 p-4 sm:px-6">
          <ChannelItem {...{ channel, quietWords }} />
        </li>
      ))}
    </Card>
  );
}

type Channel = { channel: ChannelLine; quietWords: QuietWords | undefined };

function ChannelItem({ channel, quietWords }: Channel) {
  const { title, isMine, limits, testedAt, failed } = channel;
  const mayChange = useMay("alerts");
  return (
    <>
      <div>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-strong wrap-anywhere">
          <span>{title}</span>
          {isMine ? <Badge variant="success">You</Badge> : null}
        </p>
        {limits ? <p className="mt-1 text-sm wrap-anywhere">{limits}</p> : null}
        <p className="mt-1 text-sm text-ink-soft">
          {testedAt ? (
            <span>
              Last test sent <Moment at={testedAt} />
            </span>
          ) : (
            "No test sent yet"
          )}
        </p>
      </div>
      {failed ? (
        <Message kind="warning">
          <span>{`${failed.isOver ? "Nothing is sent here any more. " : "The last message did not arrive. "}${failed.reason}`}</span>
          <span className="mt-1 block text-sm">
            <Moment at={failed.at} />
          </span>
        </Message>
      ) : null}
      {mayChange ? <ChannelForms {...{ channel, quietWords }} /> : null}
    </>
  );
}

function ChannelForms({ channel, quietWords }: Channel) {
  const { id, title, turn, isByRota, quiet, answers } = channel;
  const busy = useNavigation().state !== "idle";
  const other = turn === "first" ? "second" : "first";
  const about = <span className="sr-only"> ({title})</span>;
  return (
    <div className="grid gap-3 print:hidden">
      <div className="flex flex-wrap gap-3">
        <ChannelForm intent="test" channel={id}>
          <Button type="submit" variant="secondary" disabled={busy}>
            Send a test now{about}
          </Button>
        </ChannelForm>
        {isByRota ? null : (
          <ChannelForm intent="turn" channel={id}>
            <input type="hidden" name="turn" value={other} />
            <Button type="submit" variant="secondary" disabled={busy}>
              <span>{other === "second" ? "Tell after ten minutes" : "Tell at once"}</span>
              {about}
            </Button>
          </ChannelForm>
        )}
      </div>
      {answers ? (
        <details>
          <summary className={`min-h-11 content-center ${pressable}`}>
            Acknowledge at PagerDuty{about}
          </summary>
          <p className="mt-1 mb-4 max-w-prose">
            {answers.heardAt ? (
              <span>
                It works: PagerDuty called <Moment at={answers.heardAt} />.
              </span>
            ) : answers.isSet ? (
              <span>PagerDuty has not called yet.</span>
            ) : (
              <span>What is acknowledged at PagerDuty is not acknowledged here yet.</span>
            )}
            <span>
              {" "}
              There: Integrations, Generic Webhooks (v3), New Webhook, for the events
              incident.acknowledged and incident.unacknowledged, to this address:
            </span>
          </p>
          <CommandBox text={answers.address} label="where PagerDuty calls" />
          <ChannelForm intent="pager-secret" channel={id}>
            <div className="mt-4 grid max-w-prose gap-4">
              <TextField
                name="secret"
                label="Signing secret that PagerDuty shows then"
                autoComplete="off"
                spellCheck={false}
                maxLength={200}
              />
              <Button type="submit" variant="secondary" disabled={busy}>
                Save the secret{about}
              </Button>
            </div>
          </ChannelForm>
        </details>
      ) : null}
      {quietWords ? (
        <details>
          <summary className={`min-h-11 content-center ${pressable}`}>
            {quietWords.summary}
            {about}
          </summary>
          <p className="mt-1 mb-4 max-w-prose">{quietWords.says}</p>
          <ChannelForm intent="quiet" channel={id}>
            <div className="grid max-w-prose gap-4">
              {(["from", "until"] as const).map((name) => (
                <SelectField
                  key={name}
                  name={name}
                  label={quietWords[name]}
                  blank={quietWords.none}
                  options={hourOptions}
                  defaultValue={quiet ? String(quiet[name]) : ""}
                />
              ))}
              <div>
                <Button type="submit" variant="secondary" disabled={busy}>
                  {quietWords.button}
                  {about}
                </Button>
              </div>
            </div>
          </ChannelForm>
        </details>
      ) : null}
      <ConfirmedForm
        summary="Remove"
        says={`${title} is told nothing from then on, also of what is wrong now. The key or the secret of it is lost here.`}
        button="Remove the channel"
        about={title}
        fields={{ intent: "remove" satisfies AlertIntent, channel: id }}
      />
    </div>
  );
}

function ChannelForm({
  intent,
  channel,
  children,
}: {
  intent: "test" | "turn" | "pager-secret" | "quiet";
  channel: string;
  children: ReactNode;
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="channel" value={channel} />
      {children}
    </Form>
  );
}
