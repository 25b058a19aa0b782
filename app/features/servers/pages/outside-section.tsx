import { Form } from "react-router";
import type { RungLine } from "~/features/deployments/checks/rung-line";
import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { TextLink } from "~/ui/primitives/text-link";
import { NextStep } from "../incidents/incident-sections";
import type { ServerDetails } from "./server-details.server";

/** What a server's last check from outside came to, and a button for another one. */
export function ServerOutside({
  outside,
  isSimulated,
  mayCheck,
}: Pick<ServerDetails, "outside" | "isSimulated"> & { mayCheck: boolean }) {
  if (isSimulated) {
    return (
      <>
        <p>
          This server is simulated, so nothing checks it. One of your own is checked every five
          minutes once its name leads to it.
        </p>
        <UnseenLine />
      </>
    );
  }
  return (
    <>
      {outside?.at && outside.changedAt ? (
        <>
          <p className="text-sm">
            <span>Checked at </span>
            <RecentMoment at={outside.at} />
            <span>; unchanged since </span>
            <RecentMoment at={outside.changedAt} />
            <span>
              {outside.isScheduled
                ? ". It is checked every five minutes."
                : ". It is checked by itself once its name leads to it."}
            </span>
          </p>
          <RungList lines={outside.lines} />
        </>
      ) : (
        <p>It was not checked yet. That begins by itself once its name leads to it.</p>
      )}
      {mayCheck ? (
        <Form method="post" preventScrollReset className="mt-4 print:hidden">
          <Button type="submit" name="intent" value="check" variant="secondary">
            Check now
          </Button>
        </Form>
      ) : null}
      <UnseenLine />
    </>
  );
}

/** The steps of a check from outside, and what it cannot see. */
export function RungList({ lines }: { lines: readonly RungLine[] }) {
  return (
    <ol className="mt-3 border-t border-line">
      {lines.map(({ rung, title, badge, sentence, next, help }) => (
        <li key={rung} className="border-b border-line py-4">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge variant={badge.variant}>{badge.words}</Badge>
            <h3 className="text-base font-strong tracking-normal">{title}</h3>
          </div>
          <p className="mt-1 max-w-prose text-sm wrap-anywhere text-ink-soft">{sentence}</p>
          {next === undefined ? null : <NextStep text={next} help={help} />}
        </li>
      ))}
    </ol>
  );
}

/** What no check from here sees. */
export function UnseenLine() {
  return (
    <p className="mt-3 max-w-prose text-sm text-ink-soft">
      <span>
        UDP cannot be seen from here, and most calls use it. A test call from your own network shows
        it.
      </span>{" "}
      <TextLink to="/docs/checks">What is checked, and what is not</TextLink>
    </p>
  );
}
