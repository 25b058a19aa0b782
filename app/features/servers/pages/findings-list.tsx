import { RecentMoment } from "~/ui/moment";
import { Badge } from "~/ui/primitives/badge";
import { NextStep } from "../incidents/next-step";
import type { ServerDetails } from "./server-details.server";

/** What the machine's own doctor found when it last looked, each with what to do. */
export function FindingsList({ findings, doctorAt }: Pick<ServerDetails, "findings" | "doctorAt">) {
  if (!doctorAt) return <p>The doctor of this server has not looked yet.</p>;
  return (
    <>
      <p className="text-sm text-ink-soft">
        The doctor of this server last looked: <RecentMoment at={doctorAt} />
      </p>
      {findings.length === 0 ? (
        <p className="mt-3">It found nothing wrong.</p>
      ) : (
        <ul className="mt-3 border-t border-line">
          {findings.map(({ key, title, found, next, isCritical }) => (
            <li key={key} className="border-b border-line py-4">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Badge variant="warning">{isCritical ? "Does not work" : "Look at it"}</Badge>
                <h3 className="text-base font-strong tracking-normal wrap-anywhere">{title}</h3>
                {found ? <p className="text-sm wrap-anywhere text-ink-soft">{found}</p> : null}
              </div>
              {next === undefined ? (
                <p className="mt-2 text-sm text-ink-soft">What to do is said above.</p>
              ) : (
                <NextStep text={next} />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
