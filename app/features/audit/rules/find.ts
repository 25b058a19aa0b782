import type { ComposeService, Role } from "../compose-service.ts";
import type { Path } from "../files/configuration.ts";
import type { Place } from "../rule.ts";
import type { Part, Setup } from "../setup.ts";

type Found = Place | undefined | readonly (Place | undefined)[];

const listed = (found: Found): readonly (Place | undefined)[] =>
  found === undefined ? [] : "file" in found ? [found] : found;

type PartKind = "livekit" | "egress" | "ingress" | "sip" | "helm" | "caddy" | "traefik" | "compose";

/** A rule's `find` that looks at each configuration of some programs. */
export function inEach(
  kinds: PartKind | readonly PartKind[],
  finder: (part: Part, setup: Setup) => Found,
) {
  return (setup: Setup) =>
    [kinds].flat().flatMap((kind) => setup[kind].flatMap((part) => listed(finder(part, setup))));
}

/** A rule's `find` that looks at each service of Compose that runs one of some programs. */
export function inServices(
  roles: Role | readonly Role[],
  finder: (service: ComposeService, setup: Setup) => Found,
) {
  const wanted = [roles].flat();
  return (setup: Setup) =>
    setup.services
      .filter(({ role }) => role !== undefined && wanted.includes(role))
      .flatMap((service) => listed(finder(service, setup)));
}

/** Whether an address in a text has this port. */
export const hasPort = (text: string, port: number): boolean =>
  [...text.matchAll(/:(\d+)\b/g)].some(([, found]) => Number(found) === port);

/** Helm's values have LiveKit's configuration one level deeper. */
export function at(part: Part, path: Path, mend: string, subject?: string): Place {
  const lines = part.isHelm ? `livekit:\n${mend.replace(/^(?=.)/gm, "  ")}` : mend;
  return { file: part.file, line: part.lineOf(path), mend: lines, subject };
}

export function atService(
  service: ComposeService,
  path: Path,
  mend: string,
  subject?: string,
): Place {
  const inService = mend.replace(/^(?=.)/gm, "    ");
  return {
    file: service.file,
    line: service.at.lineOf(path),
    mend: `services:\n  ${service.name}:\n${inService}`,
    subject,
  };
}
