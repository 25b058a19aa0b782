import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { writeKernel } from "../../../../fakes/machine/machine-folder.ts";
import { objectsIn } from "../../kubernetes/objects.ts";
import { objectOf } from "../../kubernetes/pods.ts";
import { manifestText } from "./connect-text.ts";

const scriptMap = z.looseObject({ data: z.strictObject({ "livekit-connect.py": z.string() }) });

/** What the Secret holds that its maker typed. */
export type PodSecret = Readonly<Record<string, string>>;

/**
 * The pod of the manifest as a cluster runs it: its script from the ConfigMap, the Secret as files, and two empty
 * folders. Names of services lead to this machine, as the cluster's DNS would lead to theirs.
 */
export function startPod(secret: PodSecret) {
  const folder = mkdtempSync(join(tmpdir(), "livekit-pod-"));
  const root = join(folder, "root");
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  writeKernel(
    { write: put },
    {
      machineId: "0123456789abcdef0123456789abcdef",
      bootId: crypto.randomUUID(),
    },
  );
  for (const [name, value] of Object.entries(secret)) put(`secret/${name}`, value);
  for (const empty of ["opt/livekit-connect", "run/livekit-connect"])
    mkdirSync(join(root, empty), { recursive: true });
  const map = objectOf(objectsIn(manifestText), "ConfigMap", "livekit-connect");
  const script = scriptMap.parse(map).data["livekit-connect.py"];
  writeFileSync(join(folder, "livekit-connect.py"), script);
  writeFileSync(
    join(folder, "sitecustomize.py"),
    `import socket
real = socket.getaddrinfo
socket.getaddrinfo = lambda host, *rest, **more: real("127.0.0.1" if host.endswith(".svc") else host, *rest, **more)
`,
  );
  const child = spawn("python3", ["-B", join(folder, "livekit-connect.py"), root], {
    env: { ...process.env, PYTHONPATH: folder },
    cwd: folder,
  });
  let output = "";
  child.stderr.on("data", (text) => (output += text));
  child.stdout.on("data", (text) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    ended,
    output: () => output,
    /** What it wrote outside its two folders. */
    written: () => readdirSync(join(root, "secret")).toSorted(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
