import type { Acknowledgement, Incident } from "~/features/servers/incidents/incident";
import {
  type IncidentFile,
  type IncidentList,
  incidentFile,
  incidentList,
} from "~/features/servers/incidents/incident-list.server";
import { type IncidentPage, incidentPage } from "~/features/servers/incidents/incident-page.server";
import { type IncidentQuery, maxIncidents } from "~/features/servers/incidents/incident-query";
import { newestIncidents } from "~/features/servers/incidents/incident-table.server";
import { changeMany, type Many, type ManyChange } from "~/features/servers/incidents/many.server";
import type { LinkContent } from "~/features/servers/notifications/acknowledge-link.server";
import type {
  LinkOutcome,
  LinkRequest,
  LinkView,
} from "~/features/servers/notifications/linked-incidents.server";
import { messageWorkspace } from "~/features/servers/notifications/senders/post.server";
import { clusterIdOf, clusterName } from "~/features/servers/state/server-record";
import type { Threshold } from "~/features/servers/state/threshold";
import { factsIn } from "~/features/servers/state/workspace-facts.server";
import { FleetAlerts } from "./fleet-alerts";

/** The incidents of a fleet: what is shown of them, what people do about them, and from which value on there is one. */
export abstract class FleetIncidents extends FleetAlerts {
  /** The page of incidents. A workspace without a server has none. */
  incidents(query: IncidentQuery): IncidentList & { readAt: number } {
    const readAt = this.now();
    return { readAt, ...incidentList(this.#incidentSource(), query, readAt) };
  }

  /** Every incident that matches, and the uptime of every server. */
  incidentFile(query: IncidentQuery): IncidentFile {
    return incidentFile(this.#incidentSource(), query, this.now());
  }

  incident(id: string): IncidentPage | undefined {
    const incident = this.parts.hasTables ? this.parts.monitor.incident(id) : undefined;
    return incident && incidentPage(incident, this.#watched(incident), this.now());
  }

  /** The server of an incident, or its cluster. */
  #watched({ server, isCluster }: Incident) {
    if (!isCluster) return this.parts.record(server);
    const machine = this.parts.records().find((each) => clusterIdOf(each) === server);
    if (!machine) return;
    const name = clusterName(factsIn(this.sql)?.deployments?.[server]?.name, machine);
    return { id: server, name, deployment: server, domain: machine.domain };
  }

  #incidentSource() {
    if (!this.parts.hasTables) return { incidents: [], servers: [] };
    const incidents = newestIncidents(this.sql, maxIncidents);
    const { deployments } = factsIn(this.sql) ?? {};
    return { incidents, servers: this.parts.records(), deployments };
  }

  /** Somebody acknowledges an incident. Whether there is such an open one. */
  async acknowledge(incident: string, by: Omit<Acknowledgement, "at">): Promise<boolean> {
    const at = this.now();
    return this.parts.change(() => this.parts.monitor.acknowledge(incident, { ...by, at }));
  }

  /** Takes an acknowledgement back. Whether there is such an open incident. */
  async unacknowledge(incident: string): Promise<boolean> {
    return this.parts.change(() => this.parts.monitor.unacknowledge(incident));
  }

  /** What a link of a message leads to; undefined for one that is too old, or whose channel was removed. */
  linkedIncidents(content: LinkContent): LinkView | undefined {
    if (!this.parts.hasTables) return;
    return this.parts.linked.view(content, messageWorkspace(this.env, factsIn(this.sql)));
  }

  async actByLink(content: LinkContent, request: LinkRequest): Promise<LinkOutcome> {
    if (!this.parts.hasTables) return "gone";
    const outcome = this.parts.linked.use(content, request);
    await this.parts.alarms.arm();
    return outcome;
  }

  /** Until then only the end of an incident is sent. Whether there is such an open one. */
  async snooze(incident: string, until: number): Promise<boolean> {
    return this.parts.change(() => this.parts.monitor.snooze(incident, until));
  }

  /** Does the same with many servers or their incidents at once. Answers with how many. */
  async changeMany(of: Many, change: ManyChange): Promise<number> {
    if (!this.parts.hasTables) return 0;
    const count = changeMany(this.sql, this.parts.monitor, { of, change, now: this.now() });
    await this.parts.alarms.arm();
    return count;
  }

  /** Opens a maintenance window of a server until then; null closes it. Whether there is such a server. */
  async setMaintenance(server: string, until: number | null): Promise<boolean> {
    return this.parts.change(() => this.parts.monitor.setMaintenance(server, until));
  }

  /** False where there are too many. */
  async setThreshold(threshold: Omit<Threshold, "id">): Promise<boolean> {
    return this.parts.change(() => this.parts.thresholds.set(threshold));
  }

  async removeThreshold(id: string): Promise<boolean> {
    return this.parts.change(() => this.parts.thresholds.remove(id));
  }
}
