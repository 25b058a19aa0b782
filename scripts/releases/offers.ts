import type { Catalogued, Processor } from "../../app/features/deployments/bundle/releases.ts";
import type { Publisher } from "./publishers.ts";
import { type Fetch, imageTags, type Release } from "./sources.ts";

type Checksums = Extract<Catalogued, { checksums: unknown }>["checksums"];

/** Which versions a machine can get now, which sources did not answer, and why new machines cannot start with the pin. */
type Offers = {
  tags: readonly string[];
  checksums?: Checksums;
  missing: string[];
  problems: string[];
};

/** What there is of the pin and of later releases. */
export async function offersOf(
  entry: Catalogued,
  publisher: Publisher,
  published: readonly Release[],
  later: readonly Release[],
  fetch: Fetch,
): Promise<Offers> {
  if ("checksums" in entry) return downloads(entry, publisher, published, later);
  const tags = [...new Set(later.map(({ version }) => publisher.tagOf(version)))];
  const images = await imageTags(fetch, entry.image, [entry.pinned, ...tags]);
  return {
    tags: images.present,
    missing: images.missing,
    problems: images.absent.includes(entry.pinned)
      ? [` ${entry.pinned} has no image at Docker Hub: no new machine can start.`]
      : [],
  };
}

function downloads(
  { pinned, checksums }: Extract<Catalogued, { checksums: Checksums }>,
  { files = {}, tagOf }: Publisher,
  published: readonly Release[],
  later: readonly Release[],
): Offers {
  const found: Record<string, Partial<Record<Processor, string>>> = {};
  for (const release of later) {
    const sums = checksumsOf(release, files);
    if (sums) found[tagOf(release.version)] = sums;
  }
  const ofPin = published.flatMap((release) =>
    tagOf(release.version) === pinned ? (checksumsOf(release, files) ?? []) : [],
  );
  const isExchanged = ofPin.some((sums) =>
    processorsOf(files).some((processor) => sums[processor] !== checksums[pinned]?.[processor]),
  );
  return {
    tags: Object.keys(found),
    checksums: { ...checksums, ...found },
    missing: [],
    problems: isExchanged
      ? [` ${pinned} has other files at GitHub than those of the table: no new machine takes them.`]
      : [],
  };
}

/** The checksums of the program's files in a release, by processor. Undefined where GitHub lacks one. */
function checksumsOf({ version, digests = {} }: Release, files: NonNullable<Publisher["files"]>) {
  const sums: Partial<Record<Processor, string>> = {};
  for (const processor of processorsOf(files)) {
    const digest = digests[files[processor]?.(version) ?? ""];
    if (digest === undefined) return undefined;
    sums[processor] = digest;
  }
  return sums;
}

function processorsOf(files: NonNullable<Publisher["files"]>): Processor[] {
  return Object.keys(files) as Processor[];
}
