import type { Acknowledgement } from "~/features/servers/incidents/incident";
import type { IncidentFile, IncidentList } from "~/features/servers/incidents/incident-list.server";
import type { IncidentPage } from "~/features/servers/incidents/incident-page.server";
import type { IncidentQuery } from "~/features/servers/incidents/incident-query";
import type { Many, ManyChange } from "~/features/servers/incidents/many.server";
import { withinCredentialLimit } from "~/features/servers/ingest/credentials.server";
import type { PageSession } from "~/features/servers/live/endpoint.server";
import { readLink } from "~/features/servers/notifications/acknowledge-link.server";
import type { Answer } from "~/features/servers/notifications/answers.server";
import type {
  LinkOutcome,
  LinkRequest,
  LinkView,
} from "~/features/servers/notifications/linked-incidents.server";
import type { Threshold } from "~/features/servers/state/threshold";
import { fleetOf, ticketOf } from "./fleet-calls";
import { FleetsWebhooks } from "./fleets-webhooks";

/** The incidents of a fleet: what is shown of them, what people do about them, and from which value on there is one. */
export abstract class FleetsIncidents extends FleetsWebhooks {
  /** The incidents of a workspace that match, and for a session with a ticket. */
  async incidents(
    workspace: string,
    query: IncidentQuery,
    pageSession?: PageSession,
  ): Promise<IncidentList & { readAt: number; ticket?: string }> {
    const list = await fleetOf(this.env, workspace).incidents(query);
    if (!pageSession) return list;
    return { ...list, ticket: await ticketOf(this.env, workspace, pageSession, list.readAt) };
  }

  /** The same whole, for a file. */
  async incidentFile(workspace: string, query: IncidentQuery): Promise<IncidentFile> {
    return fleetOf(this.env, workspace).incidentFile(query);
  }

  /** One incident with all that is stored of it; undefined where the workspace has no such one. */
  async incident(
    workspace: string,
    id: string,
    pageSession?: PageSession,
  ): Promise<(IncidentPage & { ticket?: string }) | undefined> {
    const page = await fleetOf(this.env, workspace).incident(id);
    if (!page || !pageSession) return page;
    return { ...page, ticket: await ticketOf(this.env, workspace, pageSession, page.readAt) };
  }

  /**
   * `person`, a member by the id of their account, acknowledges an incident. Whether there is such an open one. A site of
   * before says neither their address nor a note.
   */
  async acknowledge(
    workspace: string,
    incident: string,
    person: string,
    words: Pick<Acknowledgement, "who" | "note"> = {},
  ): Promise<boolean> {
    return fleetOf(this.env, workspace).acknowledge(incident, { by: person, ...words });
  }

  /** Takes an acknowledgement back. Whether there is such an open incident. */
  async unacknowledge(workspace: string, incident: string): Promise<boolean> {
    return fleetOf(this.env, workspace).unacknowledge(incident);
  }

  /** What the link of a message leads to; undefined for one that was not made here, is too old or whose channel is gone. */
  async linkedIncidents(link: string): Promise<LinkView | "too-often" | undefined> {
    const content = await readLink(this.env, link);
    if (!content) return;
    if (!(await withinCredentialLimit(this.env, `link ${content.channel}`))) return "too-often";
    return fleetOf(this.env, content.workspace).linkedIncidents(content);
  }

  /** Does by a link what somebody pressed on its page. */
  async actByLink(link: string, request: LinkRequest): Promise<LinkOutcome | "too-often"> {
    const content = await readLink(this.env, link);
    if (!content) return "gone";
    if (!(await withinCredentialLimit(this.env, `link ${content.channel}`))) return "too-often";
    return fleetOf(this.env, content.workspace).actByLink(content, request);
  }

  /** What people did by links and at PagerDuty, for the workspace's audit log. */
  async answers(workspace: string): Promise<Answer[]> {
    return fleetOf(this.env, workspace).answers();
  }

  /** The audit log has these. */
  async removeAnswers(workspace: string, ids: readonly string[]): Promise<void> {
    await fleetOf(this.env, workspace).removeAnswers(ids);
  }

  /** Until then only the end of an incident is sent, in milliseconds since 1970. Whether there is such an open one. */
  async snooze(workspace: string, incident: string, until: number): Promise<boolean> {
    return fleetOf(this.env, workspace).snooze(incident, until);
  }

  /** Acknowledges, snoozes or works on many servers in one call of the object. Answers with how many. */
  async changeMany(workspace: string, of: Many, change: ManyChange): Promise<number> {
    return fleetOf(this.env, workspace).changeMany(of, change);
  }

  /** Opens a maintenance window of a server until then, in milliseconds since 1970; null closes it. Whether there is such a server. */
  async setMaintenance(workspace: string, server: string, until: number | null): Promise<boolean> {
    return fleetOf(this.env, workspace).setMaintenance(server, until);
  }

  /** From the next reports on; in the place of one of the same servers, measure and severity. False where there are too many. */
  async setThreshold(workspace: string, threshold: Omit<Threshold, "id">): Promise<boolean> {
    return fleetOf(this.env, workspace).setThreshold(threshold);
  }

  /** Whether there was such a one. */
  async removeThreshold(workspace: string, id: string): Promise<boolean> {
    return fleetOf(this.env, workspace).removeThreshold(id);
  }
}
