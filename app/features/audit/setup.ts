import { type ComposeService, servicesOf } from "./compose-service.ts";
import type { AuditedFile } from "./files/audited-file.ts";
import { type Configuration, partOf } from "./files/configuration.ts";
import type { Kind } from "./files/kind.ts";

/** The configuration of one program, and the file that has it. */
export type Part = Configuration & { file: string; isHelm?: boolean };

/** All that was given, as rules look at it. */
export type Setup = {
  files: readonly AuditedFile[];
  livekit: readonly Part[];
  egress: readonly Part[];
  ingress: readonly Part[];
  sip: readonly Part[];
  helm: readonly Part[];
  caddy: readonly Part[];
  traefik: readonly Part[];
  compose: readonly Part[];
  services: readonly ComposeService[];
};

export function setupOf(files: readonly AuditedFile[]): Setup {
  const parts = (kind: Kind): Part[] =>
    files
      .filter((each) => each.kind === kind)
      .map(({ name, configuration }) => ({ file: name, ...configuration }));
  const helm = parts("helm");
  const compose = parts("compose");
  return {
    files,
    livekit: [
      ...parts("livekit"),
      ...helm.map((each) => ({ file: each.file, ...partOf(each, "livekit"), isHelm: true })),
    ],
    egress: parts("egress"),
    ingress: parts("ingress"),
    sip: parts("sip"),
    helm,
    caddy: parts("caddy"),
    traefik: parts("traefik"),
    compose,
    services: compose.flatMap(servicesOf),
  };
}

export const servicesAs = ({ services }: Setup, role: ComposeService["role"]): ComposeService[] =>
  services.filter((each) => each.role === role);

/** The texts of one kind, for files that are no YAML. */
export const textsOf = ({ files }: Setup, kind: Kind): AuditedFile[] =>
  files.filter((each) => each.kind === kind);
