import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { machine, reportText } from "./report-lines.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Whatever passes requests on to the servers Worker. */
export type Servers = {
  askServers: (
    path: string,
    init: { method: string; headers: Record<string, string>; body: string | Uint8Array },
  ) => Promise<{ status: number; body: string }>;
};

/** A response of the servers Worker: its status, and its lines keyed by their first word. */
export type MachineAnswer = { status: number; lines: Record<string, string> };

/** Calls the servers Worker as a machine does. */
export async function callServers(
  worker: Servers,
  path: `/v1/${"archive" | "enrol" | "report" | "disconnect" | "rollout" | "rollout-files"}`,
  credential: string,
  body: string | Uint8Array = "",
  headers: Record<string, string> = {},
): Promise<MachineAnswer> {
  const { status, body: text } = await worker.askServers(path, {
    method: "POST",
    headers: { authorization: `Bearer ${credential}`, ...headers },
    body,
  });
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
  return { status, lines: Object.fromEntries(lines) };
}

/** A machine with a secret of its own, at its first boot. */
export class Machine {
  readonly secret = Array.from(
    { length: 43 },
    () => "abcXYZ0123456789"[Math.floor(Math.random() * 16)],
  ).join("");
  key = "";
  server = "";

  /** The address that it calls from; machines of one address are counted together. */
  address: string | undefined;

  readonly worker: Servers;
  readonly instance: string;
  readonly boot: string;
  readonly name: string;

  constructor(
    worker: Servers,
    instance: string = machine.instance,
    boot: string = machine.boot,
    name = "sfu-1",
  ) {
    this.worker = worker;
    this.instance = instance;
    this.boot = boot;
    this.name = name;
  }

  async enrol(token: string): Promise<MachineAnswer> {
    const answer = await this.call("/v1/enrol", token, this.introduction());
    const { server = "", "key-prefix": prefix, "key-tag": tag } = answer.lines;
    if (answer.status === 200) {
      this.server = server;
      this.key = `${prefix}${this.secret}_${tag}`;
    }
    return answer;
  }

  introduction(): string {
    const fields = {
      "key-hash": sha256(this.secret),
      machine: machine.machine,
      instance: this.instance,
      name: this.name,
    };
    return Object.entries(fields)
      .map(([name, value]) => `${name} ${value}\n`)
      .join("");
  }

  /** `fields` replace lines of the report, as `reportText` says. Its doctor has looked just before. */
  report(
    seq: number,
    more: readonly string[] = [],
    fields: Parameters<typeof reportText>[0] = {},
  ): Promise<MachineAnswer> {
    const { instance, boot } = this;
    const body = gzipSync(
      reportText({ seq, instance, boot, doctor: 1_795_313_600 + seq, ...fields }, more),
    );
    return this.call("/v1/report", this.key, body, { "content-encoding": "gzip" });
  }

  /** What its unit says of a rollout. */
  rolloutStep(rollout: string, step: string, reason?: string): Promise<MachineAnswer> {
    const more = reason ? `reason ${reason}\n` : "";
    return this.call("/v1/rollout", this.key, `rollout ${rollout}\nstep ${step}\n${more}`);
  }

  /** The files of a rollout, as text where they are refused. */
  rolloutFiles(rollout: string): Promise<MachineAnswer> {
    return this.call("/v1/rollout-files", this.key, rollout);
  }

  /** As `livekit-deploy disconnect` does it. */
  disconnect(more = ""): Promise<MachineAnswer> {
    const body = `machine ${machine.machine}\ninstance ${this.instance}\n${more}`;
    return this.call("/v1/disconnect", this.key, body);
  }

  private call(
    path: Parameters<typeof callServers>[1],
    credential: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<MachineAnswer> {
    const from: Record<string, string> = this.address ? { "cf-connecting-ip": this.address } : {};
    return callServers(this.worker, path, credential, body, { ...from, ...headers });
  }
}
