import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Role } from "../../../app/features/deployments/bundle/bundle-types.ts";
import { PlainFailure } from "../../lib/terminal.mjs";
import type { Call, ClusterFault } from "./call.ts";
import { askConsole, requireLocalConsole } from "./local-console.ts";
import { filesOfZip, type MachineFiles } from "./machine-files.ts";
import type { Print } from "./report.ts";
import { introduce, sendReport, type WireMachine } from "./wire-machine.ts";

type Run = Extract<Call, { kind: "run" }>;
type Member = WireMachine & {
  role: Role;
  boot: string;
  participants: number;
};

/** A cluster of an edge, media machines and those of Egress. They run no scripts, and speak with the console as those do. */
export class RunningCluster {
  #members: Member[] = [];
  #consoleUrl = "";
  #files: Pick<MachineFiles, "domain" | "version"> = {
    domain: "livekit.example.com",
    version: undefined,
  };
  #seq = 0;
  #fault: ClusterFault | undefined;
  readonly #ended = new AbortController();

  /** Runs until `end`. */
  async run(call: Run, consoleUrl: () => Promise<string>, askToken: () => Promise<string>) {
    if (call.from === "kept") {
      throw new PlainFailure(
        "A cluster is connected anew at each start: npm run machine -- FILE.zip --cluster 3, or with --token in place of the file.",
      );
    }
    const files = call.from === "token" ? undefined : filesOfZip(call.from.zip);
    if (files) this.#files = files;
    this.#consoleUrl = files?.consoleUrl ?? (await consoleUrl());
    await requireLocalConsole(this.#consoleUrl);
    const token = files?.token ?? (await askToken());
    const print: Print = (words) => console.log(`  ${words}`);
    for (const { name, role } of membersOf(call)) {
      const machine = await introduce(this.#consoleUrl, token, name);
      this.#members.push({ ...machine, role, boot: randomUUID(), participants: 4 });
      print(`${name}, ${role}`);
    }
    await this.#report(print);
    this.#fault = call.clusterFault;
    if (this.#fault) print(faultWords[this.#fault]);
    print("Ctrl-C: the others leave, and then the edge is disconnected.");
    while (!this.#ended.signal.aborted) {
      await delay(call.everyMs, undefined, { signal: this.#ended.signal }).catch(() => undefined);
      if (!this.#ended.signal.aborted) await this.#report(print);
    }
  }

  /** The others leave one after the other, and then the edge. */
  async end(): Promise<void> {
    this.#ended.abort();
    for (const { key, machine, instance } of this.#members.toReversed()) {
      const body = `machine ${machine}\ninstance ${instance}\nleft yes\n`;
      await askConsole(this.#consoleUrl, "/v1/disconnect", key, body).catch(() => undefined);
    }
    this.#members = [];
  }

  async #report(print: Print): Promise<void> {
    this.#seq += 1;
    const reporting = this.#members.filter((member) => !this.#isLost(member));
    const answers = await Promise.all(
      reporting.map((member) => sendReport(this.#consoleUrl, member, this.#linesOf(member))),
    );
    print(`round ${this.#seq}: ${answers.filter(Boolean).length} machines report`);
  }

  #isLost({ name, role }: Member): boolean {
    switch (this.#fault) {
      case "node":
        return name === "media-2";
      case "edge":
        return role === "edge";
      case "egress":
        return name === "egress-1";
      default:
        return false;
    }
  }

  #linesOf(member: Member): string[] {
    const now = Math.floor(Date.now() / 1_000);
    const { role, boot, machine, instance, participants } = member;
    const { domain, version } = this.#files;
    const line = (...fields: (string | number)[]) => fields.join("\t");
    return [
      ...[line("livekit-deploy-report", 1), line("seq", this.#seq), line("boot", boot)],
      ...[line("machine", machine), line("instance", instance), line("at", now)],
      ...[line("version", version?.hash ?? "c".repeat(64)), line("domain", domain)],
      ...(version ? [line("made-from", version.deployment, version.number, version.hash)] : []),
      line("role", role),
      ...[line("doctor", now), line("cpus", role === "edge" ? 2 : 4)],
      ...[line("load", role === "edge" ? 0.2 : 0.2 + participants * 0.05)],
      line("memory", 2_000_000, 8_000_000),
      line("disk", 9_000_000, 40_000_000),
      ...this.#servicesOf(role).map((name) =>
        line("service", name, `${name}:1`, "running", "healthy"),
      ),
      ...(role === "media"
        ? [line("metric", "participants", participants), line("metric", "rooms", 1)]
        : []),
      ...this.#findingsOf(member).map((found) => line("finding", ...found)),
    ];
  }

  /** Where machines run Egress alone, those for calls do not. */
  #servicesOf(role: Role): string[] {
    if (role === "edge") return ["caddy", "redis"];
    if (role === "egress") return ["egress"];
    const recordsElsewhere = this.#members.some((each) => each.role === "egress");
    return recordsElsewhere ? ["livekit"] : ["livekit", "egress"];
  }

  #findingsOf({ role }: Member): string[][] {
    if (this.#fault === "redis" && role === "edge") {
      return [["service.down", "critical", "redis", "exited", ""]];
    }
    const isCut = this.#fault === "redis" || this.#fault === "edge";
    if (!isCut || role === "edge") return [];
    return [["edge.silent", "critical", "10.0.0.2", "nothing answers on port 6379", ""]];
  }
}

function membersOf({ cluster = 0, egress }: Run): Pick<Member, "name" | "role">[] {
  const numbered = (role: Role, count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `${role}-${at + 1}`, role }));
  return [
    { name: "edge", role: "edge" },
    ...numbered("media", cluster),
    ...numbered("egress", egress),
  ];
}

const faultWords: Readonly<Record<ClusterFault, string>> = {
  node: "media-2 is lost",
  edge: "the edge is lost, and the other machines miss its Redis",
  redis: "Redis is lost",
  egress: "egress-1 is lost",
};
