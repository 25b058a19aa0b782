import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { PlainFailure } from "../../lib/terminal.mjs";
import type { Call } from "./call.ts";
import { mend, type Suffering, suffer } from "./faults.ts";
import { firstBoot } from "./first-boot.ts";
import { requireLocalConsole } from "./local-console.ts";
import { filesOfZip, type MachineFiles, usualFiles } from "./machine-files.ts";
import { pageAddress } from "./page-address.ts";
import { checkAndReport, type Print, reportOrThrow } from "./report.ts";
import {
  folderOf,
  freeName,
  keepIdentity,
  machineNames,
  readIdentity,
  takeMachine,
} from "./saved-machines.ts";
import { Vm } from "./vm.ts";
import { WireMachines } from "./wire-machines.ts";

type Run = Extract<Call, { kind: "run" }>;

const nothingYet = `There is no machine yet. To boot one:
  1. On a deployment's page of the running site download the files, with "Connect this server to the console" ticked.
  2. npm run machine -- ~/Downloads/the-file.zip
  3. Watch that page. To connect one that runs already: "Make a token", and npm run machine -- --token`;

/** As many reports pass between two looks of the doctor. */
const reportsPerLook = 5;

/** The machine that is being run, and what it takes to end it. */
export class RunningMachine {
  #vm: Vm | undefined;
  #fleet: WireMachines | undefined;
  #suffering: Suffering = {};
  #isNew = false;
  readonly #ended = new AbortController();

  /** Runs until `end`, or until the console takes its reports no more. */
  async run(call: Run, consoleUrl: () => Promise<string>, askToken: () => Promise<string>) {
    const made = await this.#make(call, consoleUrl);
    const vm = made.vm;
    const print: Print = (words) => console.log(`  ${clock()}  ${words}`);
    this.#vm = vm;
    vm.powerOn();
    vm.pace = call.isFast ? 0 : 1.5;
    const { server } = vm;
    console.log(
      `${vm.identity.name}, a server of ${vm.identity.domain}${server ? ", starts again" : ""}`,
    );
    let token = made.token;
    try {
      await firstBoot(vm, print);
      if (!vm.isConnected && call.from === "token") {
        token = await askToken();
        const { status, output } = await vm.run("livekit-deploy", ["connect"], `${token}\n`);
        if (status !== 0) throw new PlainFailure(output);
        print(output);
        vm.passTime();
        await checkAndReport(vm, print);
      }
    } catch (error) {
      if (this.#isNew && !vm.isConnected) this.#remove();
      throw error;
    }
    this.#isNew = false;
    vm.pace = 0;
    print(`${vm.participants} in calls`);
    console.log(`\n  Its page: ${await pageAddress(vm)}\n`);
    this.#fleet = new WireMachines(vm);
    await this.#fleet.enrol(Math.max(call.count - 1, this.#fleet.count), token);
    if (this.#fleet.count > 0) print(`${1 + (await this.#fleet.report())} machines report`);
    if (call.fault) {
      const pause = () => this.#pause(call.isFast ? 0 : 4_000);
      this.#suffering = await suffer(vm, call.fault, print, pause);
    }
    console.log("  Ctrl-C switches it off.\n");
    await this.#live(vm, call.everyMs, print);
  }

  /** Switches it off as a machine is, and leaves nothing running. */
  async end(): Promise<void> {
    this.#ended.abort();
    const vm = this.#vm;
    if (!vm) return;
    vm.end();
    if (vm.isConnected && !this.#suffering.isSilent) {
      await vm.goDown("stop");
      if (this.#fleet?.count) await this.#fleet.report("stop");
    }
    this.#suffering.copy?.end();
    if (this.#isNew && !vm.isConnected) this.#remove();
    for (const each of [vm, this.#suffering.copy]) {
      if (each) rmSync(`${folderOf(each.identity.name)}/pid`, { force: true });
    }
  }

  #remove(): void {
    if (this.#vm) rmSync(folderOf(this.#vm.identity.name), { recursive: true, force: true });
  }

  async #make(call: Run, consoleUrl: () => Promise<string>): Promise<{ vm: Vm; token?: string }> {
    if (call.from === "kept") {
      const name = call.name ?? machineNames()[0];
      if (name === undefined) throw new PlainFailure(nothingYet);
      const identity = readIdentity(name);
      await requireLocalConsole(identity.consoleUrl);
      takeMachine(name);
      keepIdentity(identity);
      const vm = new Vm(identity);
      mend(vm);
      return { vm };
    }
    const name = call.name ?? freeName();
    if (machineNames().includes(name)) {
      throw new PlainFailure(
        `There is a machine ${name} already. It goes on with npm run machine -- --name ${name}`,
      );
    }
    const files: MachineFiles =
      call.from === "token" ? usualFiles(await consoleUrl()) : filesOfZip(call.from.zip);
    const { domain, consoleUrl: url, packages, token } = files;
    await requireLocalConsole(url);
    const machineId = randomUUID().replaceAll("-", "");
    const instance = `i-${randomUUID().slice(0, 13)}`;
    const identity = { name, domain, consoleUrl: url, packages, machineId, instance };
    this.#isNew = true;
    keepIdentity(identity);
    takeMachine(name);
    const vm = new Vm(identity);
    vm.folder.install(files.files);
    return { vm, ...(token === undefined ? {} : { token }) };
  }

  async #live(vm: Vm, everyMs: number, print: Print): Promise<void> {
    for (let reports = 1; ; reports += 1) {
      await this.#pause(everyMs);
      if (this.#ended.signal.aborted) return;
      if (this.#suffering.isSilent) continue;
      vm.passTime();
      if (reports % reportsPerLook === 0) await vm.run("health");
      if (await reportOrThrow(vm, print)) {
        const others = this.#fleet?.count ? `, and ${await this.#fleet.report()} more report` : "";
        print(`${vm.participants} in calls${others}`);
      }
      const { copy } = this.#suffering;
      if (!copy) continue;
      copy.waitNoMore();
      copy.passTime();
      const ofCopy: Print = (words) => print(`${copy.identity.name}: ${words}`);
      if (await reportOrThrow(copy, ofCopy)) ofCopy("it has the server's place now");
    }
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#ended.signal }).catch(() => undefined);
  }
}

const clock = () => new Date().toTimeString().slice(0, 8);

/** Disconnects a machine, and its fleet with it, and removes its folder. */
export async function forgetMachine(name: string): Promise<string> {
  const identity = readIdentity(name);
  takeMachine(name);
  const vm = new Vm(identity);
  const outputs: string[] = [];
  if (vm.isConnected) {
    outputs.push((await vm.run("livekit-deploy", ["disconnect"])).output);
    await new WireMachines(vm).disconnect().catch(() => undefined);
  }
  rmSync(folderOf(name), { recursive: true, force: true });
  return [...outputs, `${name} is gone.`].join("\n");
}
