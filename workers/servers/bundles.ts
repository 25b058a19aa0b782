import { WorkerEntrypoint } from "cloudflare:workers";
import { bundle } from "~/features/deployments/bundle/bundle";
import type { Bundle, Connection, Secrets } from "~/features/deployments/bundle/bundle-types";
import { installedHash } from "~/features/deployments/bundle/installed-hash";
import type { DeploymentOptions } from "~/features/deployments/bundle/options/options";
import { parseOptions } from "~/features/deployments/bundle/options/parse-options";
import { scriptTexts } from "~/features/deployments/bundle/script-files";
import { zipOf } from "~/features/deployments/bundle/zip";
import { changesBetween, type FileChange } from "~/features/deployments/record/changes";
import {
  connectText,
  manifestText,
  sessionsText,
} from "~/features/servers/connect-script/connect-text";
import { sha256Hex } from "~/http/hashes";

/**
 * Makes bundles for the site, whose binding is the only way here. The site may be one version older: what its options
 * lack has its default. Throws where the options make no bundle.
 */
export class Bundles extends WorkerEntrypoint<ServersEnv> {
  make(sent: DeploymentOptions, secrets?: Secrets, connection?: Connection): Bundle {
    return bundle(parsed(sent), scriptTexts, secrets, connection);
  }

  /** Which version of this Worker the site is bound to. Throws where it cannot make a bundle. */
  version(): string {
    this.make(parsed({ domain: "livekit.example.com", email: "operations@example.com" }));
    return this.env.VERSION.id;
  }

  /** The script by which a machine is connected as it is, and its SHA-256. */
  async connectScript(): Promise<{ text: string; sha256: string }> {
    return { text: connectText, sha256: await sha256Hex(connectText) };
  }

  /** The same for a cluster: the manifest by which its LiveKit is connected. */
  async connectManifest(): Promise<{ text: string; sha256: string }> {
    return { text: manifestText, sha256: await sha256Hex(manifestText) };
  }

  /** The SHA-256 of the program that takes LiveKit's events on a machine that is connected as it is. */
  sessionsHash(): Promise<string> {
    return sha256Hex(sessionsText);
  }

  /** The files as one zip. */
  zip(sent: DeploymentOptions, connection?: Connection): Uint8Array {
    return zipOf(bundle(parsed(sent), scriptTexts, undefined, connection).files);
  }

  /** The files that differ between two bundles, line by line, and whether a machine installs other ones. */
  compare(
    before: DeploymentOptions,
    after: DeploymentOptions,
  ): { files: FileChange[]; isInstalledChanged: boolean } {
    const [was, is] = [this.make(before), this.make(after)];
    return {
      files: changesBetween(was.files, is.files),
      isInstalledChanged: installedHash(was) !== installedHash(is),
    };
  }

  /** The hash of what each of these options installs on a machine, in their order. */
  installedHashes(sent: readonly DeploymentOptions[]): string[] {
    return sent.map((each) => installedHash(bundle(parsed(each), scriptTexts)));
  }
}

function parsed(sent: unknown): DeploymentOptions {
  const { options, problems } = parseOptions(sent);
  if (options) return options;
  throw new Error(`No bundle is made of these options: ${problems.map(({ path }) => path).join()}`);
}
