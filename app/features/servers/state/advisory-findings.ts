import type { Advisory } from "~/features/deployments/bundle/advisories";
import type { Program } from "~/features/deployments/bundle/releases";
import {
  advisoriesOf,
  minorTag,
  namesVersion,
  programOf,
  recommendedTag,
} from "~/features/deployments/bundle/versions";
import type { Report } from "./server-record";

/** Findings about versions. What runs is judged with the table of this release of ours, not with the one in a machine's files. */
const versionCodes: readonly string[] = [
  "version.affected",
  "version.exposed",
  "files.affected",
  "connected.version.affected",
  "connected.version.exposed",
];

/** Whether a finding says that a version with a known fault runs. */
export function isAboutVersion({ code }: Pick<Report["findings"][number], "code">): boolean {
  return versionCodes.includes(code);
}

/** The findings of a report, in which our table's judgement of each version takes the place of the machine's. */
export function withAdvisories(report: Report): Report["findings"] {
  const running = runningVersions(report);
  const ofDoctor = report.findings.filter(
    (finding) => !isAboutVersion(finding) || !running.has(finding.subject),
  );
  const ours = [...running].flatMap(([name, { program, version }]) =>
    findingOf(name, program, version, report),
  );
  return [...ofDoctor, ...ours];
}

function findingOf(
  name: string,
  program: Program,
  version: string,
  report: Report,
): Report["findings"] {
  const known = advisoriesOf(program, version);
  const exposed = known.filter((advisory) => isExposed(advisory, report));
  const [worst] = [...exposed, ...known.toReversed()];
  if (!worst) return [];
  const others = known.length > 1 ? `, and ${known.length - 1} more` : "";
  return [
    {
      code: codeOf(program, exposed.length > 0),
      severity: exposed.length > 0 ? "critical" : "warning",
      subject: name,
      found: `${version} runs. ${worst.reason} (${worst.ids[0]})${others}`,
      wanted: `${name}=${replacementOf(report, name, program, version)}`,
    },
  ];
}

/** rclone and lego run for each backup and renewal, in the version that the files name. */
function codeOf(program: Program, isOpen: boolean): string {
  if (program === "rclone" || program === "lego") return "files.affected";
  return isOpen ? "version.exposed" : "version.affected";
}

/** Files of before say nothing of TURN. It is on unless somebody switched it off. */
function isExposed({ severity, exposure }: Advisory, { turn = true }: Report): boolean {
  return severity === "security" && (exposure === "internet" || (exposure === "turn" && turn));
}

/**
 * What the machine's doctor is told to find: each affected version and the one to run instead, as
 * `livekit:v1.13.5=v1.13.11`, with commas between them.
 */
export function recommendedVersions(report: Report): string {
  return [...runningVersions(report)]
    .flatMap(([name, { program, version }]) =>
      advisoriesOf(program, version).length > 0
        ? [`${name}:${version}=${replacementOf(report, name, program, version)}`]
        : [],
    )
    .join(",");
}

/**
 * The tag that `livekit-deploy update --to` is to take: one that moves where the service follows one, so that its updates
 * by themselves go on. `TAG` where no listed version is better.
 */
function replacementOf(
  { services }: Report,
  name: string,
  program: Program,
  version: string,
): string {
  const recommended = recommendedTag(program, version);
  if (recommended === undefined) return "TAG";
  const image = services.find((each) => each.name === name)?.image ?? "";
  const tag = /:([^:/@]+)(?:@.*)?$/.exec(image)?.[1];
  return tag === undefined || namesVersion(tag) ? recommended : minorTag(recommended);
}

/** Which version of each known program runs: by its image's tag, or by what the image says behind a tag that moves. */
function runningVersions({ services, releases = [] }: Report) {
  const behind = new Map(releases.map(({ name, version }) => [name, version]));
  const tags = new Map([
    ...behind,
    ...services.map(({ name, image }) => {
      const tag = /:([^:/@]+)(?:@.*)?$/.exec(image)?.[1] ?? "";
      return [name, namesVersion(tag) ? tag : (behind.get(name) ?? "")] as const;
    }),
  ]);
  return new Map(
    [...tags].flatMap(([name, version]) => {
      const program = programOf(name);
      return program && namesVersion(version) ? [[name, { program, version }] as const] : [];
    }),
  );
}
