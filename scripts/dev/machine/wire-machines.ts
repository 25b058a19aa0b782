import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { PlainFailure } from "../../lib/terminal.mjs";
import { askConsole } from "./local-console.ts";
import { folderOf } from "./saved-machines.ts";
import type { Vm } from "./vm.ts";
import { introduce, sendReport, type WireMachine, wireMachine } from "./wire-machine.ts";

const storedMachines = z.array(wireMachine);

/**
 * The other machines of a fleet. They run no scripts: each sends the last report of the machine that does, with
 * what is a machine's own in it changed. They are the same servers at the next start.
 */
export class WireMachines {
  readonly #vm: Vm;
  readonly #file: string;
  #machines: WireMachine[];
  readonly #states = new Map<string, { boot: string; seq: number; participants: number }>();

  constructor(vm: Vm) {
    this.#vm = vm;
    this.#file = join(folderOf(vm.identity.name), "fleet.json");
    this.#machines = existsSync(this.#file)
      ? storedMachines.parse(JSON.parse(readFileSync(this.#file, "utf8")))
      : [];
  }

  get count(): number {
    return this.#machines.length;
  }

  /** Connects machines with the token, until there are so many. Throws the console's refusal. */
  async enrol(count: number, token: string | undefined): Promise<void> {
    const { name, consoleUrl } = this.#vm.identity;
    while (this.#machines.length < count) {
      if (token === undefined) {
        throw new PlainFailure(
          `${name} has ${this.count + 1} machines. More of them need a token for ${count + 1}: npm run machine -- --token --count ${count + 1}`,
        );
      }
      const machineName = `${name}-${this.count + 2}`;
      this.#machines.push(await introduce(consoleUrl, token, machineName));
      writeFileSync(this.#file, JSON.stringify(this.#machines), { mode: 0o600 });
    }
  }

  /** One report of each; answers how many were taken. */
  async report(going?: "stop"): Promise<number> {
    const last = this.#vm.folder.read("run/livekit-console/last");
    let accepted = 0;
    // Ten at a time, as machines that report at seconds of their own.
    for (let from = 0; from < this.#machines.length; from += 10) {
      const some = this.#machines.slice(from, from + 10);
      const answers = await Promise.all(some.map((each) => this.#reportOf(each, last, going)));
      accepted += answers.filter(Boolean).length;
    }
    return accepted;
  }

  async #reportOf(machine: WireMachine, last: string, going?: "stop"): Promise<boolean> {
    const before = this.#states.get(machine.name) ?? {
      boot: randomUUID(),
      seq: 0,
      participants: 2,
    };
    const step = Math.floor(Math.random() * 7) - 3;
    const participants = Math.min(40, Math.max(0, before.participants + step));
    const state = { ...before, seq: before.seq + 1, participants };
    this.#states.set(machine.name, state);
    const replaced: Record<string, string> = {
      seq: String(state.seq),
      boot: state.boot,
      machine: machine.machine,
      instance: machine.instance,
      "metric\tparticipants": String(participants),
      "metric\trooms": String(Math.ceil(participants / 4)),
    };
    const lines = last
      .trimEnd()
      .split("\n")
      .map((line) => {
        const field = Object.keys(replaced).find((name) => line.startsWith(`${name}\t`));
        return field === undefined ? line : `${field}\t${replaced[field]}`;
      });
    if (going) lines.push(`going\t${going}`);
    return sendReport(this.#vm.identity.consoleUrl, machine, lines);
  }

  /** Ends the key of each. */
  async disconnect(): Promise<void> {
    const { consoleUrl } = this.#vm.identity;
    for (const { key, machine, instance } of this.#machines) {
      const identity = `machine ${machine}\ninstance ${instance}\n`;
      await askConsole(consoleUrl, "/v1/disconnect", key, identity);
    }
  }
}
