import { More } from "~/features/deployments/page/more";
import { Moment } from "~/ui/moment";
import type { ServerDetails } from "./server-details.server";

type Change = ServerDetails["changes"][number];

const titles: Record<Exclude<Change["code"], "address" | "certificate">, string> = {
  boot: "The machine booted",
  version: "Its files changed",
  node: "LiveKit started anew",
  service: "A service changed",
  finding: "The doctor's findings changed",
  machine: "Another machine replaced it",
};

/** Of a certificate `from` and `to` are the days on which it ended and ends: ISO 8601, empty where it was not there. */
function titleOf({ code, from, to }: Pick<Change, "code" | "from" | "to">): string {
  if (code !== "address" && code !== "certificate") return titles[code];
  const what = code === "address" ? "An address" : "A certificate";
  if (!from) return `${what} appeared`;
  if (!to) return `${what} is gone`;
  if (code === "address") return "Its address changed";
  return to > from ? "A certificate was renewed" : "A certificate changed";
}

/** What changed on a server in the last 24 hours, newest first, with what it was before; older changes behind a fold. */
export function ChangesList({ changes }: { changes: readonly Change[] }) {
  const recent = changes.filter(({ isRecent }) => isRecent);
  const older = changes.filter(({ isRecent }) => !isRecent);
  return (
    <>
      {recent.length > 0 ? (
        <Changes changes={recent} />
      ) : (
        <p>{older.length > 0 ? "Nothing changed." : "Nothing changed since it connected."}</p>
      )}
      {older.length > 0 ? (
        <More summary={older.length === 1 ? "1 older change" : `${older.length} older changes`}>
          <Changes changes={older} />
        </More>
      ) : null}
    </>
  );
}

function Changes({ changes }: { changes: readonly Change[] }) {
  return (
    <ol className="border-t border-line">
      {changes.map(({ at, code, subject, from, to }) => (
        <li key={`${at} ${code} ${subject}`} className="border-b border-line py-3">
          <p className="wrap-anywhere">
            <span className="font-strong">{titleOf({ code, from, to })}</span>
            {subject ? <span className="font-mono text-sm"> {subject}</span> : null}
          </p>
          <p className="mt-1 text-sm wrap-anywhere text-ink-soft">
            <Moment at={at} />
            {from || to ? (
              <>
                {" · "}
                {from || "nothing"}
                <span aria-hidden="true"> → </span>
                <span className="sr-only">, now </span>
                {to || "nothing"}
              </>
            ) : null}
          </p>
        </li>
      ))}
    </ol>
  );
}
