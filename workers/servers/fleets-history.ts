import { WorkerEntrypoint } from "cloudflare:workers";
import {
  type AgentUsage,
  type DayRange,
  summedUsage,
} from "~/features/servers/agent-sessions/agent-usage.server";
import {
  type ExplainedCall,
  explainedCall,
  rangeOfCall,
} from "~/features/servers/explanation/explained-call";
import type { Evidence } from "~/features/servers/room-sessions/evidence";
import type {
  EvidencePage,
  EvidenceQuery,
} from "~/features/servers/room-sessions/evidence-table.server";
import type { FilePart } from "~/features/servers/room-sessions/file-part";
import type {
  FileCursor,
  FileRow,
  SessionList,
  SessionPage,
  SessionQuery,
} from "~/features/servers/room-sessions/history-pages.server";
import { fleetOf, historyOf } from "./fleet-calls";

/** What a server's own object keeps of the sessions in its rooms and of the calls in them. */
export abstract class FleetsHistory extends WorkerEntrypoint<ServersEnv> {
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

  /** What agents on all servers of a workspace used, by what the servers said of their sessions. */
  async agentUsage(workspace: string, days: DayRange): Promise<AgentUsage> {
    const servers = await fleetOf(this.env, workspace).serverIds();
    const ofServers = await Promise.all(
      servers.map((server) => historyOf(this.env, server).agentUsage(days)),
    );
    return summedUsage(ofServers.flat());
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
    const call = await (await this.#history(workspace, server))?.call(session, who);
    if (!call) return;
    const now = Date.now();
    const range = rangeOfCall(call.participant, now);
    const then = await fleetOf(this.env, workspace).server(server, range);
    return then && explainedCall(call, then, now);
  }

  /** The next part of the file of everybody who was in a session. */
  async sessionFilePart(
    workspace: string,
    server: string,
    after?: FileCursor,
  ): Promise<FilePart<FileRow, FileCursor> | undefined> {
    return (await this.#history(workspace, server))?.filePart(after);
  }

  /** The next part of the file of all calls of which apps said something. */
  async evidenceFilePart(
    workspace: string,
    server: string,
    after?: number,
  ): Promise<FilePart<Evidence, number> | undefined> {
    return (await this.#history(workspace, server))?.evidenceFilePart(after);
  }

  async #history(workspace: string, server: string) {
    const isTheirs = await fleetOf(this.env, workspace).hasServer(server);
    return isTheirs ? historyOf(this.env, server) : undefined;
  }
}
