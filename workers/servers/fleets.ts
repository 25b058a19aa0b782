import { WorkerEntrypoint } from "cloudflare:workers";
import type { CheckTarget, RungResult } from "~/features/deployments/checks/check";
import type { ConnectionTestReport } from "~/features/deployments/embedded-test/report";
import { runCheck } from "~/features/servers/checks/run-check.server";
import {
  type ExplainedCall,
  explainedCall,
  rangeOfCall,
} from "~/features/servers/explanation/explained-call";
import type { Acknowledgement } from "~/features/servers/incidents/incident";
import type { IncidentFile, IncidentList } from "~/features/servers/incidents/incident-list.server";
import type { IncidentPage } from "~/features/servers/incidents/incident-page.server";
import type { IncidentQuery } from "~/features/servers/incidents/incident-query";
import type { Many, ManyChange } from "~/features/servers/incidents/many.server";
import type { StoredIncident } from "~/features/servers/incidents/stored-incident";
import { type ArchiveInputs, withKnownBad } from "~/features/servers/ingest/archive.server";
import {
  keySecrets,
  newToken,
  pagerAddress,
  withinCredentialLimit,
} from "~/features/servers/ingest/credentials.server";
import type { Revoked } from "~/features/servers/ingest/enrolment.server";
import { newTicket, type PageSession } from "~/features/servers/live/endpoint.server";
import type { Closed } from "~/features/servers/live/sockets.server";
import type { Range } from "~/features/servers/metrics/series";
import { readLink } from "~/features/servers/notifications/acknowledge-link.server";
import type { Answer } from "~/features/servers/notifications/answers.server";
import type {
  AddedChannel,
  ChannelRequest,
  ChannelView,
  Sent,
  ServiceRequest,
  Turn,
} from "~/features/servers/notifications/channel";
import type { ChannelLimits } from "~/features/servers/notifications/channel-limits";
import type {
  LinkOutcome,
  LinkRequest,
  LinkView,
} from "~/features/servers/notifications/linked-incidents.server";
import type { AlertTimesChange } from "~/features/servers/notifications/times/alert-times";
import type { QuietHours } from "~/features/servers/notifications/times/quiet-hours";
import type { RotaView } from "~/features/servers/notifications/times/rota-view.server";
import type { WireOverview, WirePage } from "~/features/servers/pages/wire";
import type {
  EvidencePage,
  EvidenceQuery,
} from "~/features/servers/room-sessions/evidence-table.server";
import type {
  FileCursor,
  FilePart,
  SessionList,
  SessionPage,
  SessionQuery,
} from "~/features/servers/room-sessions/history-pages.server";
import { senderSettings } from "~/features/servers/sender-settings.server";
import type { SavedServer } from "~/features/servers/state/server-record";
import type { Threshold } from "~/features/servers/state/threshold";
import type { Member, WorkspaceFacts } from "~/features/servers/state/workspace-facts.server";
import type { TrialDeployments } from "~/features/servers/trial/seed-trial.server";

const hourMs = 3_600_000;

/**
 * The fleets for the site, whose binding is the only way here. `workspace` is one that the site has found its caller to
 * be a member of. Each call is one call of one object.
 */
export class Fleets extends WorkerEntrypoint<ServersEnv> {
  /** Fills the fleet of a trial with simulated servers, until `endsAt` in milliseconds since 1970. */
  async beginTrial(
    workspace: string,
    endsAt: number,
    deployments: TrialDeployments,
  ): Promise<void> {
    await this.#fleet(workspace).beginTrial(endsAt, deployments);
  }

  /**
   * A token for so many machines. It is not stored: the caller hands it out once. `ends`: milliseconds since 1970.
   * A site that is one version older sends no facts of the workspace.
   */
  async makeToken(request: {
    workspace: string;
    deployment: string;
    /** Where the deployment's LiveKit answers. A site of before does not say it. */
    domain?: string;
    uses: number;
    hours: number;
    facts?: WorkspaceFacts;
    /** What the files are made of that come with it. */
    inputs?: ArchiveInputs;
    /** Who makes it, and their address if it is confirmed. */
    maker?: { person: string; address?: string | undefined };
  }): Promise<{ token: string; ends: number; firstChannel?: string | undefined }> {
    const { workspace, hours, facts, maker, inputs, ...details } = request;
    const { token, hash } = await newToken(keySecrets(this.env), workspace);
    const ends = Date.now() + hours * hourMs;
    const fleet = this.#fleet(workspace);
    const { person, address } = maker ?? {};
    const recipient = person && address ? { person, address } : undefined;
    const terms = { ...details, ends, maker: person, inputs: inputs && withKnownBad(inputs) };
    const firstChannel = await fleet.makeToken(hash, terms, facts, recipient);
    return { token, ends, firstChannel };
  }

  /** Sets an alarm that was lost, and saves facts that the fleet cannot read itself. Answers every server, retired ones for 30 days. */
  async update(
    workspace: string,
    facts: WorkspaceFacts,
    deletedDeployments: readonly string[],
    members?: readonly Member[],
  ): Promise<SavedServer[]> {
    return this.#fleet(workspace).update(facts, deletedDeployments, members);
  }

  /**
   * Every server and every channel, and a ticket with which the session's page opens its socket. There are no channels
   * before the workspace's first token.
   */
  async overview(
    workspace: string,
    pageSession?: PageSession,
  ): Promise<WireOverview & { channels?: ChannelView[] | undefined; ticket?: string }> {
    const overview = await this.#fleet(workspace).overview();
    if (!pageSession) return overview;
    return { ...overview, ticket: await this.#ticket(workspace, pageSession, overview.readAt) };
  }

  /**
   * One server with its open incident and those of the last 90 days, the newest first and at most 200; for a session
   * with a ticket. Undefined where the workspace has no such one.
   */
  async server(
    workspace: string,
    id: string,
    range?: Range,
    pageSession?: PageSession,
  ): Promise<(WirePage & { incidents?: StoredIncident[]; ticket?: string }) | undefined> {
    const page = await this.#fleet(workspace).server(id, range);
    if (!page || !pageSession) return page;
    return { ...page, ticket: await this.#ticket(workspace, pageSession, page.readAt) };
  }

  /** The incidents of a workspace that match, and for a session with a ticket. */
  async incidents(
    workspace: string,
    query: IncidentQuery,
    pageSession?: PageSession,
  ): Promise<IncidentList & { readAt: number; ticket?: string }> {
    const list = await this.#fleet(workspace).incidents(query);
    if (!pageSession) return list;
    return { ...list, ticket: await this.#ticket(workspace, pageSession, list.readAt) };
  }

  /** The same whole, for a file. */
  async incidentFile(workspace: string, query: IncidentQuery): Promise<IncidentFile> {
    return this.#fleet(workspace).incidentFile(query);
  }

  /** The sessions in a server's rooms; undefined where the workspace has no such server. */
  async sessions(
    workspace: string,
    server: string,
    query: SessionQuery,
  ): Promise<SessionList | undefined> {
    return (await this.#history(workspace, server))?.sessions(query);
  }

  /** One of them; undefined where there is none, also for a server of somebody else. */
  async session(workspace: string, server: string, sid: string): Promise<SessionPage | undefined> {
    return (await this.#history(workspace, server))?.session(sid);
  }

  /** What apps said of calls on a server; undefined where the workspace has no such server. */
  async evidence(
    workspace: string,
    server: string,
    query: EvidenceQuery,
  ): Promise<EvidencePage | undefined> {
    return (await this.#history(workspace, server))?.evidence(query);
  }

  /** The call of somebody in a session, and why it was as it was; undefined where there is none. */
  async explainedCall(
    workspace: string,
    server: string,
    session: string,
    who: string,
  ): Promise<ExplainedCall | undefined> {
    const page = await this.session(workspace, server, session);
    const participant = page?.participants.find(({ sid }) => sid === who);
    if (!page || !participant) return;
    const now = Date.now();
    const then = await this.server(workspace, server, rangeOfCall(participant, now));
    return then && explainedCall(page, participant, then, now);
  }

  /** The next part of the file of everybody who was in a session. */
  async sessionFilePart(
    workspace: string,
    server: string,
    after?: FileCursor,
  ): Promise<FilePart | undefined> {
    return (await this.#history(workspace, server))?.filePart(after);
  }

  /** One incident with all that is stored of it; undefined where the workspace has no such one. */
  async incident(
    workspace: string,
    id: string,
    pageSession?: PageSession,
  ): Promise<(IncidentPage & { ticket?: string }) | undefined> {
    const page = await this.#fleet(workspace).incident(id);
    if (!page || !pageSession) return page;
    return { ...page, ticket: await this.#ticket(workspace, pageSession, page.readAt) };
  }

  /** Closes sockets of pages at once, and refuses their tickets. */
  async closeSockets(workspace: string, which: Closed): Promise<void> {
    await this.#fleet(workspace).closeSockets(which);
  }

  /** The team picked this server to stay. Whether it is there, paused for want of room in the plan. */
  async keepServer(workspace: string, id: string): Promise<boolean> {
    return this.#fleet(workspace).keepServer(id);
  }

  /** The team picks the server that stays when the plan has room for fewer. Whether it is connected. */
  async pickServer(workspace: string, id: string): Promise<boolean> {
    return this.#fleet(workspace).pickServer(id);
  }

  async retire(workspace: string, id: string): Promise<void> {
    await this.#fleet(workspace).retire(id);
  }

  /** Allows or refuses the request of that time for a server's place. False where the open request is another one. */
  async answerRequest(
    workspace: string,
    id: string,
    isAllowed: boolean,
    requestedAt: number,
  ): Promise<boolean> {
    return this.#fleet(workspace).answerRequest(id, isAllowed, requestedAt);
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
    return this.#fleet(workspace).acknowledge(incident, { by: person, ...words });
  }

  /** Takes an acknowledgement back. Whether there is such an open incident. */
  async unacknowledge(workspace: string, incident: string): Promise<boolean> {
    return this.#fleet(workspace).unacknowledge(incident);
  }

  /** What the link of a message leads to; undefined for one that was not made here, is too old or whose channel is gone. */
  async linkedIncidents(link: string): Promise<LinkView | "too-often" | undefined> {
    const content = await readLink(this.env, link);
    if (!content) return;
    if (!(await withinCredentialLimit(this.env, `link ${content.channel}`))) return "too-often";
    return this.#fleet(content.workspace).linkedIncidents(content);
  }

  /** Does by a link what somebody pressed on its page. */
  async actByLink(link: string, request: LinkRequest): Promise<LinkOutcome | "too-often"> {
    const content = await readLink(this.env, link);
    if (!content) return "gone";
    if (!(await withinCredentialLimit(this.env, `link ${content.channel}`))) return "too-often";
    return this.#fleet(content.workspace).actByLink(content, request);
  }

  /** What people did by links and at PagerDuty, for the workspace's audit log. */
  async answers(workspace: string): Promise<Answer[]> {
    return this.#fleet(workspace).answers();
  }

  /** The audit log has these. */
  async removeAnswers(workspace: string, ids: readonly string[]): Promise<void> {
    await this.#fleet(workspace).removeAnswers(ids);
  }

  /** Until then only the end of an incident is sent, in milliseconds since 1970. Whether there is such an open one. */
  async snooze(workspace: string, incident: string, until: number): Promise<boolean> {
    return this.#fleet(workspace).snooze(incident, until);
  }

  /** Acknowledges, snoozes or works on many servers in one call of the object. Answers with how many. */
  async changeMany(workspace: string, of: Many, change: ManyChange): Promise<number> {
    return this.#fleet(workspace).changeMany(of, change);
  }

  /** Opens a maintenance window of a server until then, in milliseconds since 1970; null closes it. Whether there is such a server. */
  async setMaintenance(workspace: string, server: string, until: number | null): Promise<boolean> {
    return this.#fleet(workspace).setMaintenance(server, until);
  }

  /** Replaces a server's labels. Whether there is such a server. */
  async setLabels(workspace: string, id: string, labels: readonly string[]): Promise<boolean> {
    return this.#fleet(workspace).setLabels(id, labels);
  }

  /** From the next reports on; in the place of one of the same servers, measure and severity. False where there are too many. */
  async setThreshold(workspace: string, threshold: Omit<Threshold, "id">): Promise<boolean> {
    return this.#fleet(workspace).setThreshold(threshold);
  }

  /** Whether there was such a one. */
  async removeThreshold(workspace: string, id: string): Promise<boolean> {
    return this.#fleet(workspace).removeThreshold(id);
  }

  /**
   * Checks from outside what a deployment's server is to be. Ten in an hour of one deployment, thirty of a workspace: above
   * that `waitMs` says when the next may be asked for.
   */
  async preflight(
    workspace: string,
    deployment: string,
    target: CheckTarget,
  ): Promise<{ results: RungResult[]; at: number } | { waitMs: number }> {
    const waitMs = await this.#fleet(workspace).countRequestedCheck(deployment);
    if (waitMs !== undefined) return { waitMs };
    return { results: await runCheck(this.env, target), at: Date.now() };
  }

  /**
   * Checks a server from outside now. Undefined where there is no such server, or it has not said where it is; `waitMs` as
   * above.
   */
  async checkServer(
    workspace: string,
    id: string,
  ): Promise<"checked" | { waitMs: number } | undefined> {
    const fleet = this.#fleet(workspace);
    const begun = await fleet.beginCheck(id);
    if (!begun || "waitMs" in begun) return begun;
    await fleet.takeCheck(id, await runCheck(this.env, begun.target));
    return "checked";
  }

  /** Ends the keys of a deployment's servers, and its tokens. */
  async endDeployment(workspace: string, deployment: string): Promise<void> {
    await this.#fleet(workspace).endDeployment(deployment);
  }

  /** Undefined before the workspace's first token. */
  async channels(workspace: string): Promise<ChannelView[] | undefined> {
    const channels = await this.#fleet(workspace).channels();
    const secrets = keySecrets(this.env);
    return (
      channels &&
      Promise.all(
        channels.map(async (channel) => {
          if (channel.kind !== "pagerduty") return channel;
          const name = await pagerAddress(secrets, { workspace, channel: channel.id });
          return { ...channel, answerPath: `/v1/pagerduty/${name}` };
        }),
      )
    );
  }

  /** Lets PagerDuty's webhooks, which it signs with this secret, acknowledge. Whether there is such a channel. */
  async setPagerSecret(workspace: string, channel: string, secret: string): Promise<boolean> {
    return this.#fleet(workspace).setPagerSecret(channel, secret);
  }

  /** `addedBy`: the account of the member who adds it, which a site of before does not say. */
  async addChannel(
    workspace: string,
    request: ChannelRequest,
    turn: Turn,
    addedBy?: string,
    limits?: ChannelLimits,
  ): Promise<AddedChannel> {
    return this.#fleet(workspace).addChannel(request, turn, addedBy, limits);
  }

  /** What a browser needs to subscribe to push; undefined where this is not set up. */
  async pushKey(): Promise<string | undefined> {
    return senderSettings(this.env)?.vapid?.publicKey;
  }

  /** A Worker of before does not have this: it would keep a channel to which it cannot send. */
  async addServiceChannel(workspace: string, request: ServiceRequest): Promise<AddedChannel> {
    return this.#fleet(workspace).addServiceChannel(request);
  }

  /** Whether there is such a channel. */
  async changeTurn(workspace: string, channel: string, turn: Turn): Promise<boolean> {
    return this.#fleet(workspace).changeTurn(channel, turn);
  }

  /** Null: it has none. Whether there is such a channel. */
  async setQuietHours(
    workspace: string,
    channel: string,
    quiet: QuietHours | null,
  ): Promise<boolean> {
    return this.#fleet(workspace).setQuietHours(channel, quiet);
  }

  /** What pages show of the time zone and the rota; `isWhole`: with whole addresses. Undefined before the first token. */
  async alertTimes(workspace: string, isWhole: boolean): Promise<RotaView | undefined> {
    return this.#fleet(workspace).alertTimes(isWhole);
  }

  /** False for what cannot be: no such time zone, rota or person. */
  async changeAlertTimes(workspace: string, change: AlertTimesChange): Promise<boolean> {
    return this.#fleet(workspace).changeAlertTimes(change);
  }

  /** What became of a test; undefined where there is no such channel. */
  async testChannel(workspace: string, channel: string): Promise<Sent | undefined> {
    return this.#fleet(workspace).testChannel(channel);
  }

  /** Hands the result of a connection test in the customer's own page to their webhook. Whether there is such a one. */
  async sendConnectionTest(
    workspace: string,
    channel: string,
    report: ConnectionTestReport,
  ): Promise<boolean> {
    return this.#fleet(workspace).sendConnectionTest(channel, report);
  }

  async removeChannel(workspace: string, channel: string): Promise<void> {
    await this.#fleet(workspace).removeChannel(channel);
  }

  /** Revokes tokens; servers that they have connected go on. */
  async revokeTokens(workspace: string, which: Revoked): Promise<void> {
    await this.#fleet(workspace).revokeTokens(which);
  }

  /**
   * Removes the channels of a former member, to themselves and those that they added, and revokes their tokens. Answers
   * what these channels were called.
   */
  async removePerson(workspace: string, person: string): Promise<string[]> {
    return this.#fleet(workspace).removePerson(person);
  }

  async forget(workspace: string): Promise<void> {
    await this.#fleet(workspace).forget();
  }

  #ticket(workspace: string, pageSession: PageSession, now: number): Promise<string> {
    return newTicket(keySecrets(this.env), { workspace, ...pageSession }, now);
  }

  async #history(workspace: string, server: string) {
    const isTheirs = await this.#fleet(workspace).hasServer(server);
    return isTheirs ? this.env.HISTORIES.getByName(server) : undefined;
  }

  #fleet(workspace: string) {
    return this.env.FLEETS.getByName(workspace);
  }
}
