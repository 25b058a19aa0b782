import type { Cause, Incident, IncidentSummary, Severity } from "./incident";

// Rows of incidents, and what the servers Worker answers the site, have names that the code does not use any more. They
// stay, because the Worker before this one reads these rows after a rollback, and a site before this one these answers.

const storedSeverities = { page: "pages", notify: "tells" } as const satisfies Record<
  Severity,
  string
>;
type StoredSeverity = (typeof storedSeverities)[Severity];
type StoredCause = Omit<Cause, "severity"> & { severity: StoredSeverity };

export type StoredIncident = Omit<
  Incident,
  | "severity"
  | "causes"
  | "notifiedCount"
  | "pendingCount"
  | "notifiedAt"
  | "pageSent"
  | "notifiedChannels"
> & {
  severity: StoredSeverity;
  causes: readonly StoredCause[];
  told: number;
  untold: number;
  toldAt?: number;
  toldPages?: boolean;
  heard?: Readonly<Record<string, boolean>>;
};

export type StoredSummary = Omit<IncidentSummary, "severity" | "causes"> & {
  severity: StoredSeverity;
  causes: readonly StoredCause[];
};

export function toStored(incident: Incident): StoredIncident {
  const { notifiedCount, pendingCount, notifiedAt, pageSent, notifiedChannels, ...rest } = incident;
  return {
    ...withStoredSeverities(rest),
    ...{ told: notifiedCount, untold: pendingCount },
    ...(notifiedAt === undefined ? {} : { toldAt: notifiedAt }),
    ...(pageSent === undefined ? {} : { toldPages: pageSent }),
    ...(notifiedChannels === undefined ? {} : { heard: notifiedChannels }),
  };
}

export function fromStored(stored: StoredIncident): Incident {
  const {
    told: notifiedCount,
    untold: pendingCount,
    toldAt: notifiedAt,
    toldPages: pageSent,
    heard,
    ...rest
  } = stored;
  return {
    ...withSeverities(rest),
    ...{ notifiedCount, pendingCount },
    ...(notifiedAt === undefined ? {} : { notifiedAt }),
    ...(pageSent === undefined ? {} : { pageSent }),
    ...(heard === undefined ? {} : { notifiedChannels: heard }),
  };
}

/** With the severities of rows. The order of keys stays: messages are compared by the hash of their JSON. */
export function withStoredSeverities<Of extends Rated<Severity, Cause>>(
  of: Of,
): Omit<Of, "severity" | "causes"> & Rated<StoredSeverity, StoredCause> {
  const causes = of.causes.map((cause) => ({
    ...cause,
    severity: storedSeverities[cause.severity],
  }));
  return { ...of, severity: storedSeverities[of.severity], causes };
}

export function withSeverities<Of extends Rated<StoredSeverity, StoredCause>>(
  of: Of,
): Omit<Of, "severity" | "causes"> & Rated<Severity, Cause> {
  const causes = of.causes.map((cause) => ({ ...cause, severity: severityOf(cause.severity) }));
  return { ...of, severity: severityOf(of.severity), causes };
}

type Rated<Of, EachCause> = { severity: Of; causes: readonly EachCause[] };

const severityOf = (stored: StoredSeverity): Severity => (stored === "pages" ? "page" : "notify");
