import { acknowledged, type Incident, type Wrong } from "~/features/servers/incidents/incident.ts";
import { type Notification, stepIncident } from "~/features/servers/incidents/step.ts";

export const begin = Date.parse("2026-11-24T12:00:00Z");
export const minute = 60_000;

export const down = (at = begin): Wrong => ({
  ...{ code: "down", subject: "", severity: "page", since: at },
});
export const critical: Wrong = {
  ...{ code: "turn.udp.silent", subject: "", severity: "page", since: begin },
};
export const warning: Wrong = {
  ...{ code: "disk.filling", subject: "/", severity: "notify", since: begin },
};

/** One server's incident, followed minute by minute. */
export class FollowedIncident {
  incident: Incident | undefined;
  /** What was sent, as the minute and the event. */
  readonly sent: [minute: number, event: Notification["event"], changes?: number][] = [];
  opened = 0;
  quietUntil: number | undefined;

  /** What is wrong at a minute after the beginning. */
  at(minutes: number, ...wrong: Wrong[]): this {
    const { incident, notifications } = stepIncident(
      this.incident,
      wrong,
      begin + minutes * minute,
      {
        newId: () => {
          this.opened += 1;
          return `incident-${this.opened}`;
        },
        server: "server",
        quietUntil: this.quietUntil,
      },
    );
    this.incident = incident;
    for (const each of notifications) {
      this.sent.push(
        "changes" in each ? [minutes, each.event, each.changes] : [minutes, each.event],
      );
    }
    return this;
  }

  /** Somebody acknowledges it at a minute. */
  answered(minutes: number): this {
    const by = { by: "person", at: begin + minutes * minute };
    if (this.incident) this.incident = acknowledged(this.incident, by);
    return this;
  }

  /** What is wrong in each of these minutes. */
  during(from: number, until: number, ...wrong: Wrong[]): this {
    for (let each = from; each < until; each += 1) this.at(each, ...wrong);
    return this;
  }
}
