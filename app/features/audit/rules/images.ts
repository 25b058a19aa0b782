import { catalogue } from "../../deployments/bundle/releases.ts";
import {
  advisoriesOf,
  advisoryWords,
  isAtLeast,
  namesVersion,
  programOf,
  recommendedTag,
  releasesOf,
} from "../../deployments/bundle/versions.ts";
import { type Image, imageOf } from "../compose-service.ts";
import { textAt } from "../files/configuration.ts";
import type { Place, Rule } from "../rule.ts";
import type { Setup } from "../setup.ts";
import { programs } from "./compose.ts";
import { atService } from "./find.ts";
import { issue } from "./sources.ts";

type Used = { image: Image; place: (mend: string, subject?: string) => Place };

/** The images that Compose and Helm name. */
function imagesOf({ services, helm }: Setup): Used[] {
  const ofServices = services.flatMap((service) =>
    service.image && service.role && programs.includes(service.role)
      ? [
          {
            image: service.image,
            place: (mend: string, subject?: string) => atService(service, ["image"], mend, subject),
          },
        ]
      : [],
  );
  const ofHelm = helm.flatMap((part) => {
    const repository = textAt(part, "image", "repository") ?? "livekit/livekit-server";
    const tag = textAt(part, "image", "tag");
    const image = tag === undefined ? undefined : imageOf(`${repository}:${tag}`);
    return image
      ? [
          {
            image,
            place: (mend: string, subject?: string): Place => ({
              file: part.file,
              line: part.lineOf(["image", "tag"]),
              mend: `image:\n  tag: ${mend.split(":").at(-1)}`,
              subject,
            }),
          },
        ]
      : [];
  });
  return [...ofServices, ...ofHelm];
}

/** A program of the table of releases by its image. */
function programOfImage({ repository }: Image) {
  const name = Object.entries(catalogue).find(
    ([, program]) => "image" in program && program.image === repository,
  )?.[0];
  return name === undefined ? undefined : programOf(name);
}

const nameOf = ({ repository, tag }: Image): string => `${repository}:${tag ?? "latest"}`;

/** What is known to be wrong with an image, and the one to run instead. */
function knownFaults({ image, place }: Used, isAttackable: boolean): Place | undefined {
  const program = programOfImage(image);
  const { tag } = image;
  if (!program || !tag || !namesVersion(tag)) return;
  const known = advisoriesOf(program, tag);
  const attackable = known.filter(({ exposure }) => exposure !== "none");
  if (attackable.length > 0 !== isAttackable) return;
  const [worst] = isAttackable ? attackable : known;
  if (!worst) return;
  const more = known.length > 1 ? ` And ${known.length - 1} more.` : "";
  return place(
    `image: ${image.repository}:${recommendedTag(program, tag) ?? catalogue[program].pinned}`,
    `${nameOf(image)}. ${advisoryWords(worst)}${more}`,
  );
}

const dayMs = 86_400_000;
/** A year: LiveKit's programs come out every few weeks. */
const oldDays = 365;

function isOld(image: Image): boolean {
  const program = programOfImage(image);
  const tag = image.tag ?? "";
  if (!program || !namesVersion(tag) || advisoriesOf(program, tag).length > 0) return false;
  const releases = [...releasesOf(program)];
  const newest = releases.at(-1)?.[1];
  const [oldest] = releases;
  const day = releases.find(([each]) => isAtLeast(each, tag) && isAtLeast(tag, each))?.[1];
  if (day && newest) return Date.parse(newest) - Date.parse(day) > oldDays * dayMs;
  return oldest !== undefined && !isAtLeast(tag, oldest[0].replace(/^v/, "").replace(/-.*/, ""));
}

export const imageRules: readonly Rule[] = [
  {
    code: "image.attackable",
    fault: "outdated",
    severity: "critical",
    title: "An image has a known fault that can be used from the internet",
    reason: "Who finds such servers needs no password for it.",
    source: "https://github.com/livekit/livekit/security/advisories",
    find: (setup) => imagesOf(setup).map((each) => knownFaults(each, true)),
  },
  {
    code: "image.faulty",
    fault: "outdated",
    severity: "warning",
    title: "An image has a known fault",
    reason: "It is mended in a later version.",
    source: "https://github.com/livekit/livekit/releases",
    find: (setup) => imagesOf(setup).map((each) => knownFaults(each, false)),
  },
  {
    code: "image.old",
    fault: "outdated",
    severity: "warning",
    title: "An image is more than a year behind",
    reason: "What was mended since is missing, and the step to today gets larger with each month.",
    source: issue("livekit/livekit", 4551),
    find: (setup) =>
      imagesOf(setup).map(({ image, place }) => {
        const program = programOfImage(image);
        return program && isOld(image)
          ? place(`image: ${image.repository}:${catalogue[program].pinned}`, nameOf(image))
          : undefined;
      }),
  },
  {
    code: "image.floating",
    fault: "outdated",
    severity: "warning",
    title: "An image has no version",
    reason:
      "Each machine runs what was newest when it pulled: nobody knows which, and there is no way back to it.",
    source: issue("livekit/livekit", 838),
    find: (setup) =>
      imagesOf(setup).map(({ image, place }) => {
        const { tag, isPinned, repository } = image;
        if (isPinned || (tag !== undefined && !/^(latest|main|master|edge)$/.test(tag)))
          return undefined;
        const program = programOfImage(image);
        return place(
          `image: ${repository}:${program ? catalogue[program].pinned : "A_VERSION"}`,
          nameOf(image),
        );
      }),
  },
];
