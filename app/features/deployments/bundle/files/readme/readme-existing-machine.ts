import type { BundleFile } from "../../bundle-types.ts";
import { severalOf } from "../../options/derived-options.ts";
import type { DeploymentOptions } from "../../options/options.ts";
import { installCommands } from "../install-commands.ts";

/** How the files come to a machine that cloud-init did not set up, and what that changes on one in use. */
export function existingMachineSection(
  options: DeploymentOptions,
  installed: readonly BundleFile[],
): string {
  const { proxy } = options;
  const inUse =
    proxy === "existing"
      ? `This machine serves something already. Before you copy anything:

- \`firewall.nft\` closes every port but the ones listed above and 22. Write the port of your own SSH, if it is
  another, and the ports of your other services as rules of a custom firewall, and make the files again.
- ufw, firewalld and other rules stay beside it, and what they drop reaches nobody. Let the ports listed above through
  there too, or switch them off; the doctor says which drops what, and the command against it.
- Programs of yours reach each other by 127.0.0.1. What they send to an address of this machine passes only the
  ports that are open to everybody: by TURN a participant could reach the others.
- \`sshd.conf\` lets people in by key only. Log in with yours once.
- \`docker-daemon.json\` is for \`/etc/docker/daemon.json\`: where there is one, add the two settings to it.

`
      : "";
  return `## On a machine that exists already

${inUse}In the folder of these files, this puts each where it belongs, with its mode:

\`\`\`sh
${installCommands(installed)}\`\`\`
${severalOf(options) ? "" : movingIn}`;
}

const movingIn = `
## Where a LiveKit of yours runs

Not by hand: \`sudo sh move-in.sh\`, in the folder of these files on that machine. It says first what it found and what
it would do, as \`sudo sh move-in.sh --show\` does alone. After a yes it takes your API keys, which stay on the machine,
stops yours, and puts this deployment in its place; when that does not work it goes back by itself. Where it runs in
Kubernetes, Docker Swarm or Podman it refuses: make a new machine, and take the key along by
\`sudo livekit-deploy set api-key\`.

\`sudo livekit-deploy move-out\` is the way back at any time: files, units, containers and settings are as they were,
byte for byte. What this deployment made until then is moved into a folder that it names.
`;
