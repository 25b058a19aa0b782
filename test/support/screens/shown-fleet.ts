import { controlFleet } from "../servers/control-fleet.ts";
import type { Machine } from "../servers/machine.ts";
import { serversAt } from "../servers/servers-at.ts";
import type { Visitor } from "../site/visitor.ts";

const minute = 60_000;

type Fields = Parameters<Machine["report"]>[2];
type LastReport = { machine: Machine; lines: readonly string[]; fields: Fields; seq: number };

/** The servers of one person's workspace on a screen. Time passes for them only where a test moves their clock. */
export class ScreenFleet {
  readonly person: Visitor;
  readonly machines: readonly Machine[];
  readonly #workspace: string;
  readonly #said = new Map<Machine, LastReport>();

  constructor(person: Visitor, workspace: string, machines: readonly Machine[]) {
    this.person = person;
    this.#workspace = workspace;
    this.machines = machines;
  }

  /** The id of one of its servers. */
  server(at = 0): string {
    return this.#machine(at).server;
  }

  /** One of its machines reports this, and again whenever a screen is opened; `fields` as `Machine.report` takes them. */
  async says(at: number, lines: readonly string[], fields: Fields = {}): Promise<void> {
    const machine = this.#machine(at);
    const seq = (this.#said.get(machine)?.seq ?? 0) + 1;
    this.#said.set(machine, { machine, lines, fields, seq });
    await machine.report(seq, lines, fields);
  }

  /** Moves the clock of the fleet, and does what is due by then. From now on none of its machines reports. */
  async fallSilent(minutes: number): Promise<void> {
    this.#said.clear();
    await this.move(minutes);
  }

  /** From now on its servers were connected so many days ago. */
  async connectedBefore(days: number): Promise<void> {
    const enrolledAt = Date.now() - days * 24 * 60 * minute;
    const statement = `update servers set record = json_set(record, '$.enrolledAt', ${enrolledAt})`;
    const path = `/_local/past?workspace=${this.#workspace}`;
    const sent = { method: "POST", headers: {}, body: JSON.stringify([[statement]]) };
    const { status } = await serversAt(this.person.siteUrl).askServers(path, sent);
    if (status !== 200) throw new Error(`The fleet's rows were not changed: ${status}`);
  }

  async move(minutes: number): Promise<void> {
    await controlFleet(this.person.siteUrl, this.#workspace, "clock", { ms: minutes * minute });
  }

  /** What the site sends a fleet about its plan once an hour. */
  async hasRoomFor(servers: number): Promise<void> {
    await controlFleet(this.person.siteUrl, this.#workspace, "update", { servers });
  }

  /**
   * Its machines report once more, and from then on its clock stands still: however long it is until its screen is opened,
   * nothing is due meanwhile.
   */
  async refresh(): Promise<void> {
    for (const [at, machine] of this.machines.entries()) {
      const last = this.#said.get(machine);
      if (last) await this.says(at, last.lines, last.fields);
    }
    await controlFleet(this.person.siteUrl, this.#workspace, "faults", { alarms: 0, lost: 1 });
    await controlFleet(this.person.siteUrl, this.#workspace, "clock", { ms: 0, stopped: 1 });
  }

  #machine(at: number): Machine {
    const machine = this.machines[at];
    if (!machine) throw new Error(`The fleet has no machine ${at}`);
    return machine;
  }
}
