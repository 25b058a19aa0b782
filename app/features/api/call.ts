import type { Bundle, Connection, Secrets } from "~/features/deployments/bundle/bundle-types";
import type { DeploymentOptions } from "~/features/deployments/bundle/options/options";
import type { FileChange } from "~/features/deployments/record/changes";
import type {
  DeploymentVersion,
  Found,
  VersionLine,
} from "~/features/deployments/record/deployments.server";
import type { DeploymentRefusal } from "~/features/deployments/record/save-deployments.server";
import type { Deployment } from "~/features/deployments/stored-deployment";
import type { ChangeOutcome } from "~/features/servers/audit-change.server";
import type { IncidentList } from "~/features/servers/incidents/incident-list.server";
import type { IncidentPage } from "~/features/servers/incidents/incident-page.server";
import type { IncidentQuery } from "~/features/servers/incidents/incident-query";
import type { Range } from "~/features/servers/metrics/series";
import type { ChannelView } from "~/features/servers/notifications/channel";
import type { WireFigures, WireOverview, WirePage } from "~/features/servers/pages/wire";
import type { RolloutView, ServerRollouts } from "~/features/servers/rollouts/rollout";
import type { RolloutRefusal, RolloutRequest } from "~/features/servers/rollouts/rollout-request";
import type {
  SessionList,
  SessionPage,
  SessionQuery,
} from "~/features/servers/room-sessions/history-pages.server";
import type { WebhookAudit } from "~/features/webhooks/site/note-change.server";
import type { WebhookCalls } from "~/features/webhooks/webhook";

/** Whose call it is: a token of one workspace. `label` is what people read in its place. */
export type ApiToken = {
  id: string;
  workspace: string;
  name: string;
  label: string;
  scopes: readonly string[];
  endsAt: string;
};

/** A call as the site has read it. `path` begins after `/api/v1`. */
export type ApiCall = {
  method: string;
  path: string;
  query: string;
  body: string;
  accept: string | null;
  ifMatch: string | null;
  ifNoneMatch: string | null;
  key: string | null;
  requestId: string;
  token: ApiToken;
  /** Where machines find the console; undefined where there is none. */
  serversUrl: string | undefined;
};

/** An answer that is kept by the key of its call. */
export type SavedAnswer = { status: number; headers: Record<string, string>; body: string };

export type Begun =
  | { state: "new" | "running" | "other" | "full" | "gone" }
  | { state: "done"; answer: SavedAnswer };

/**
 * What the API reads and writes in PostgreSQL, which the site alone reaches: it is bound to the token's workspace there.
 * Each is a function of the console's pages. Undefined while the database does not answer.
 */
export type Records = {
  deployments(after?: string): Promise<{ deployments: Deployment[]; next?: string } | undefined>;
  deployment(id: string): Promise<Found<Deployment>>;
  versions(id: string, newest?: number): Promise<Found<VersionLine[]>>;
  version(id: string, version: number): Promise<Found<DeploymentVersion>>;
  create(made: {
    name: string;
    options: DeploymentOptions;
  }): Promise<{ ok: true; id: string } | DeploymentRefusal>;
  save(
    id: string,
    /** `seen`: when what the caller read was saved. */
    change: { name: string; options: DeploymentOptions; expectedVersion: number; seen: string },
  ): Promise<{ ok: true } | DeploymentRefusal>;
  /** Writes the line of the audit log before the change. */
  audit(change: {
    action: "incident.acknowledged" | "incident.snoozed" | "server.maintenance";
    target: string;
    targetId: string;
    after?: Record<string, string>;
  }): Promise<ChangeOutcome>;
  /** The same of a rollout that is asked for. */
  auditRollout(change: {
    action: "rollout.requested" | "rollout.refused";
    target: string;
    targetId: string;
    after: Record<string, string | number>;
  }): Promise<ChangeOutcome>;
  /** The same of a webhook. */
  noteWebhook(change: WebhookAudit): Promise<"noted" | "not allowed" | "unavailable">;
  begin(key: string, hash: string): Promise<Begun | undefined>;
  settle(key: string, answer?: SavedAnswer): Promise<void>;
};

/** What the servers Worker itself has: the same calls as the site makes for its pages. */
export type Fleets = WebhookCalls & {
  figures(workspace: string): Promise<WireFigures>;
  overview(workspace: string): Promise<WireOverview & { channels?: ChannelView[] | undefined }>;
  server(workspace: string, id: string, range?: Range): Promise<WirePage | undefined>;
  incidents(workspace: string, query: IncidentQuery): Promise<IncidentList>;
  incident(workspace: string, id: string): Promise<IncidentPage | undefined>;
  acknowledge(
    workspace: string,
    incident: string,
    by: string,
    words: { who?: string; note?: string },
  ): Promise<boolean>;
  snooze(workspace: string, incident: string, until: number): Promise<boolean>;
  setMaintenance(workspace: string, server: string, until: number | null): Promise<boolean>;
  rollouts(workspace: string, server: string): Promise<ServerRollouts | undefined>;
  checkRollout(
    workspace: string,
    request: RolloutRequest,
  ): Promise<{ rollout: RolloutView } | { refused: RolloutRefusal } | undefined>;
  requestRollout(
    workspace: string,
    request: RolloutRequest,
  ): Promise<{ rollout: RolloutView } | { refused: RolloutRefusal }>;
  sessions(
    workspace: string,
    server: string,
    query: SessionQuery,
  ): Promise<SessionList | undefined>;
  session(workspace: string, server: string, sid: string): Promise<SessionPage | undefined>;
};

export type Bundles = {
  make(options: DeploymentOptions, secrets?: Secrets, connection?: Connection): Bundle;
  compare(
    before: DeploymentOptions,
    after: DeploymentOptions,
  ): { files: FileChange[]; isInstalledChanged: boolean };
};

export type Sources = { records: Records; fleets: Fleets; bundles: Bundles; now: number };
