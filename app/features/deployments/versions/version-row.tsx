import { Form } from "react-router";
import { useMay } from "~/features/workspaces/roles";
import { shortMomentOf } from "~/ui/dates";
import { Badge } from "~/ui/primitives/badge";
import { Button } from "~/ui/primitives/button";
import { TextField } from "~/ui/primitives/fields";
import { TextButton, TextLink } from "~/ui/primitives/text-link";
import type { VersionLine } from "../record/deployments.server";

/** One saved version: when, by whom and why, and what can be done with it. */
export function VersionRow({
  line: { version, savedAt, savedBy, note, restoredFrom },
  isNewest,
  isOnServer,
  onServers,
  isReported,
  typedNote,
}: {
  line: VersionLine;
  isNewest: boolean;
  isOnServer: boolean;
  /** Which servers run it, where they run several versions. */
  onServers: string | undefined;
  /** Whether servers report the version that they run, so that no member has to enter it. */
  isReported: boolean;
  /** A note that was refused, which is still there to be shortened. */
  typedNote: string | undefined;
}) {
  const mayDescribe = useMay("describe");
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-line py-4 sm:grid-cols-[3rem_minmax(0,1fr)_auto]">
      <p className="font-mono text-sm leading-6 tabular-nums">v{version}</p>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <time dateTime={savedAt}>{shortMomentOf(savedAt)}</time>
          {savedBy ? <span className="wrap-anywhere text-ink-soft">{savedBy}</span> : null}
          {isNewest ? <Badge variant="neutral">newest</Badge> : null}
          {isOnServer || onServers ? (
            <Badge variant="success">{onServers ?? "on your server"}</Badge>
          ) : null}
        </p>
        {restoredFrom === undefined ? null : (
          <p className="mt-1 text-sm text-ink-soft">Restored from v{restoredFrom}</p>
        )}
        {note ? <p className="mt-1 max-w-prose wrap-anywhere">{note}</p> : null}
        {mayDescribe ? (
          <details open={typedNote !== undefined} className="mt-1 text-sm">
            <summary className="inline-flex min-h-11 cursor-pointer items-center text-ink-soft hover:text-ink">
              {note ? "Change the note" : "Add a note"}
            </summary>
            <Form
              // A note that was saved closes what it was typed in.
              key={note}
              method="post"
              preventScrollReset
              className="mt-2 grid max-w-prose gap-3"
            >
              <input type="hidden" name="noted" value={version} />
              <TextField
                name="note"
                label={`Note at v${version}`}
                hint="At most 200 characters: why this was changed."
                defaultValue={typedNote ?? note}
                autoComplete="off"
              />
              <div>
                <Button type="submit" variant="secondary">
                  Save the note
                </Button>
              </div>
            </Form>
          </details>
        ) : null}
      </div>
      <div className="flex flex-wrap items-start gap-x-5 sm:justify-end">
        {version > 1 ? (
          <TextLink
            to={`?${new URLSearchParams({ from: `${version - 1}`, to: `${version}` })}#changes`}
            variant="standalone"
            aria-label={`What changed in v${version}`}
          >
            What changed
          </TextLink>
        ) : null}
        {mayDescribe && !isReported ? (
          <Form method="post" preventScrollReset>
            <TextButton
              type="submit"
              name="applied"
              value={isOnServer ? "none" : version}
              variant="standalone"
              aria-label={
                isOnServer ? `Not on my server: v${version}` : `On my server: v${version}`
              }
            >
              {isOnServer ? "Not on my server" : "On my server"}
            </TextButton>
          </Form>
        ) : null}
      </div>
    </li>
  );
}
