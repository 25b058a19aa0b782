import { randomUUID } from "node:crypto";
import { cpSync, rmSync } from "node:fs";
import type { Fault } from "./call.ts";
import { checkAndReport, type Print, reportOrThrow } from "./report.ts";
import { folderOf, type Identity, keepIdentity, takeMachine } from "./saved-machines.ts";
import { Vm } from "./vm.ts";

/** What a fault makes of a machine: whether it still reports, and the copy that reports beside it. */
export type Suffering = { isSilent?: true; copy?: Vm };

/** Makes a machine that is well suffer. `pause` waits, so that people can see each step. */
export async function suffer(
  vm: Vm,
  fault: Fault,
  print: Print,
  pause: () => Promise<void>,
): Promise<Suffering> {
  const { folder } = vm;
  switch (fault) {
    case "disk-full":
      folder.set("disk-used", "97");
      print("the disk is 97 % full");
      await checkAndReport(vm, print);
      return {};
    case "certificate":
      folder.set("certificate-days", "2");
      print("the certificate ends in two days");
      await checkAndReport(vm, print);
      return {};
    case "silent":
      print("it stands, and reports no more. Ctrl-C, and it reports when it is started again");
      return { isSilent: true };
    case "update":
      await update(vm, print, pause);
      return {};
    case "clone":
      return { copy: await clone(vm, print) };
  }
}

/** What an earlier fault left is mended at the next start, unless it is asked for again. */
export function mend({ folder }: Vm): void {
  for (const left of ["disk-used", "certificate-days"]) folder.unset(left);
}

async function update(vm: Vm, print: Print, pause: () => Promise<void>): Promise<void> {
  const { folder } = vm;
  const tag = nextTag(folder.read("opt/livekit/docker-compose.yaml"));
  folder.set("up-slow");
  print(`livekit-deploy update --to livekit=${tag} --now`);
  const updating = vm.run("livekit-deploy", ["update", "--to", `livekit=${tag}`, "--now"]);
  let isOver = false;
  updating.finally(() => {
    isOver = true;
  });
  while (!isOver && !folder.isSet("up-began")) await new Promise((next) => setTimeout(next, 100));
  if (!isOver) {
    await reportOrThrow(vm, print);
    print("it is being updated");
    await pause();
  }
  folder.unset("up-slow");
  const { status, output } = await updating;
  print(status === 0 ? "updated" : output);
  await vm.goDown("reboot");
  print("it starts again");
  await pause();
  vm.powerOn();
  vm.passTime();
  await checkAndReport(vm, print);
}

/** The tag after that of LiveKit in the Compose file. */
function nextTag(compose: string): string {
  const [, start = "v1.0", patch = "0"] =
    /image: \S*livekit-server:(v\d+\.\d+)(?:\.(\d+))?/.exec(compose) ?? [];
  return `${start}.${Number(patch) + 1}`;
}

/** A copy of the machine's disk, on a machine with another name at the provider. */
async function clone(vm: Vm, print: Print): Promise<Vm> {
  const name = `${vm.identity.name.slice(0, 35)}-copy`;
  const identity: Identity = { ...vm.identity, name, instance: `i-${randomUUID().slice(0, 13)}` };
  rmSync(folderOf(name), { recursive: true, force: true });
  cpSync(folderOf(vm.identity.name), folderOf(name), { recursive: true });
  keepIdentity(identity);
  takeMachine(name);
  const copy = new Vm(identity);
  copy.powerOn();
  copy.passTime();
  print(`${name}: a copy of the disk, as ${identity.instance}`);
  await reportOrThrow(copy, (words) => print(`${name}: ${words}`));
  return copy;
}
