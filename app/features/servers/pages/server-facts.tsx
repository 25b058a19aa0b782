import type { ReactNode } from "react";
import { Moment } from "~/ui/moment";
import type { ServerDetails } from "./server-details.server";

/** What a server said of itself in its last report. */
export function ServerFacts({
  server: { addresses, services, certificates, backupAt, rebootPending, enrolledAt, lastReportAt },
}: {
  server: ServerDetails;
}) {
  return (
    <dl className="border-t border-line text-sm">
      <Fact name="Connected since">
        <Moment at={enrolledAt} />
      </Fact>
      {lastReportAt ? (
        <Fact name="Last report">
          <Moment at={lastReportAt} />
        </Fact>
      ) : null}
      {addresses.map(({ family, address }) => (
        <Fact key={address} name={`IPv${family}`}>
          <span className="font-mono">{address}</span>
        </Fact>
      ))}
      {services.map(({ name, image, state, health }) => (
        <Fact key={name} name={name}>
          <span className="font-mono">{image}</span> {[state, health].filter(Boolean).join(", ")}
        </Fact>
      ))}
      {certificates.map(({ name, ends }) => (
        <Fact key={name} name={`Certificate of ${name}`}>
          ends <Moment at={ends} />
        </Fact>
      ))}
      {backupAt ? (
        <Fact name="Last backup">
          <Moment at={backupAt} />
        </Fact>
      ) : null}
      {rebootPending ? <Fact name="System update">waits for a reboot</Fact> : null}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 border-b border-line py-2 wrap-anywhere sm:grid-cols-[12rem_minmax(0,1fr)]">
      <dt className="text-ink-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
