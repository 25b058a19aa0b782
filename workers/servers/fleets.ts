import type { CheckTarget, RungResult } from "~/features/deployments/checks/check";
import { runCheck } from "~/features/servers/checks/run-check.server";
import type { StoredIncident } from "~/features/servers/incidents/stored-incident";
import { withKnownBad } from "~/features/servers/ingest/archive.server";
import { keySecrets, newToken } from "~/features/servers/ingest/credentials.server";
import type { Revoked } from "~/features/servers/ingest/enrolment.server";
import type { PageSession } from "~/features/servers/live/endpoint.server";
import type { Closed } from "~/features/servers/live/sockets.server";
import type { Range } from "~/features/servers/metrics/series";
import type { ChannelView } from "~/features/servers/notifications/channel";
import type { WireFigures, WireOverview, WirePage } from "~/features/servers/pages/wire";
import type { Approvers } from "~/features/servers/rollouts/approvers.server";
import type { ServerRollouts } from "~/features/servers/rollouts/rollout";
import type { FileInputs } from "~/features/servers/state/file-inputs";
import type { SavedServer } from "~/features/servers/state/server-record";
import type { Member, WorkspaceFacts } from "~/features/servers/state/workspace-facts.server";
import type { TrialDeployments } from "~/features/servers/trial/seed-trial.server";
import { fleetOf, ticketOf, webhooksOf } from "./fleet-calls";
import { FleetsRollouts } from "./fleets-rollouts";

const hourMs = 3_600_000;

/**
 * The fleets for the site, whose binding is the only way here. `workspace` is one that the site has found its caller to
 * be a member of. Each call is one call of one object.
 */
export class Fleets extends FleetsRollouts {
  /** Fills the fleet of a trial with simulated servers, until `endsAt` in milliseconds since 1970. */
  async beginTrial(
    workspace: string,
    endsAt: number,
    deployments: TrialDeployments,
  ): Promise<void> {
    await fleetOf(this.env, workspace).beginTrial(endsAt, deployments);
  }

  /**
   * A token for so many machines. It is not stored: the caller hands it out once. `ends`: milliseconds since 1970.
   * A site that is one version older sends no facts of the workspace.
   */
  async makeToken(request: {
    workspace: string;
    /** Missing where it connects a machine as it is. */
    deployment?: string;
    /** What the server is to be called then. */
    name?: string;
    /** Where the deployment's LiveKit answers. A site of before does not say it. */
    domain?: string;
    uses: number;
    hours: number;
    facts?: WorkspaceFacts;
    /** What the files are made of that come with it. */
    inputs?: FileInputs;
    /** Who makes it, and their address if it is confirmed. */
    maker?: { person: string; address?: string | undefined };
  }): Promise<{ token: string; ends: number; firstChannel?: string | undefined }> {
    const { workspace, hours, facts, maker, inputs, ...details } = request;
    const { token, hash } = await newToken(keySecrets(this.env), workspace);
    const ends = Date.now() + hours * hourMs;
    const fleet = fleetOf(this.env, workspace);
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
    approvers?: Approvers,
  ): Promise<SavedServer[]> {
    return fleetOf(this.env, workspace).update(facts, deletedDeployments, members, approvers);
  }

  /**
   * Every server and every channel, and a ticket with which the session's page opens its socket. There are no channels
   * before the workspace's first token.
   */
  async overview(
    workspace: string,
    pageSession?: PageSession,
  ): Promise<WireOverview & { channels?: ChannelView[] | undefined; ticket?: string }> {
    const overview = await fleetOf(this.env, workspace).overview();
    if (!pageSession) return overview;
    return {
      ...overview,
      ticket: await ticketOf(this.env, workspace, pageSession, overview.readAt),
    };
  }

  /** Every server that is connected, with its figures of now. */
  async figures(workspace: string): Promise<WireFigures> {
    return fleetOf(this.env, workspace).figures();
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
  ): Promise<
    | (WirePage & { incidents?: StoredIncident[]; rollouts?: ServerRollouts; ticket?: string })
    | undefined
  > {
    const page = await fleetOf(this.env, workspace).server(id, range);
    if (!page || !pageSession) return page;
    return { ...page, ticket: await ticketOf(this.env, workspace, pageSession, page.readAt) };
  }

  /** Closes sockets of pages at once, and refuses their tickets. */
  async closeSockets(workspace: string, which: Closed): Promise<void> {
    await fleetOf(this.env, workspace).closeSockets(which);
  }

  /** The team picked this server to stay. Whether it is there, paused for want of room in the plan. */
  async keepServer(workspace: string, id: string): Promise<boolean> {
    return fleetOf(this.env, workspace).keepServer(id);
  }

  /** The team picks the server that stays when the plan has room for fewer. Whether it is connected. */
  async pickServer(workspace: string, id: string): Promise<boolean> {
    return fleetOf(this.env, workspace).pickServer(id);
  }

  async retire(workspace: string, id: string): Promise<void> {
    await fleetOf(this.env, workspace).retire(id);
  }

  /** Allows or refuses the request of that time for a server's place. False where the open request is another one. */
  async answerRequest(
    workspace: string,
    id: string,
    isAllowed: boolean,
    requestedAt: number,
  ): Promise<boolean> {
    return fleetOf(this.env, workspace).answerRequest(id, isAllowed, requestedAt);
  }

  /** Replaces a server's labels. Whether there is such a server. */
  async setLabels(workspace: string, id: string, labels: readonly string[]): Promise<boolean> {
    return fleetOf(this.env, workspace).setLabels(id, labels);
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
    const waitMs = await fleetOf(this.env, workspace).countRequestedCheck(deployment);
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
    const fleet = fleetOf(this.env, workspace);
    const begun = await fleet.beginCheck(id);
    if (!begun || "waitMs" in begun) return begun;
    await fleet.takeCheck(id, await runCheck(this.env, begun.target));
    return "checked";
  }

  /** Ends the keys of a deployment's servers, and its tokens. */
  async endDeployment(workspace: string, deployment: string): Promise<void> {
    await fleetOf(this.env, workspace).endDeployment(deployment);
  }

  /** Revokes tokens; servers that they have connected go on. */
  async revokeTokens(workspace: string, which: Revoked): Promise<void> {
    await fleetOf(this.env, workspace).revokeTokens(which);
  }

  /**
   * Removes the channels of a former member, to themselves and those that they added, and revokes their tokens. Answers
   * what these channels were called.
   */
  async removePerson(workspace: string, person: string): Promise<string[]> {
    return fleetOf(this.env, workspace).removePerson(person);
  }

  async forget(workspace: string): Promise<void> {
    await fleetOf(this.env, workspace).forget();
    await webhooksOf(this.env, workspace).forget();
  }
}
