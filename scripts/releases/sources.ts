import * as z from "zod";

/** A stable version such as `1.13.11`, with the day of its release. `digests`: the SHA-256 of each of its files, by name. */
export type Release = { version: string; day: string; digests?: Readonly<Record<string, string>> };

/** An advisory as its publisher lists it. `introduced` and `fixed` are versions such as `1.13.10`. */
export type Found = {
  ids: string[];
  source: string;
  summary: string;
  ranges: { introduced?: string | undefined; fixed?: string | undefined }[];
};

/** `missing` says which source did not answer, and why. */
export type Answer<Item> = { items: Item[] } | { missing: string };

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

const stable = /^v?(\d+\.\d+\.\d+)$/;
const dayOf = (moment: string) => moment.slice(0, 10);

const githubRelease = z.object({
  tag_name: z.string(),
  draft: z.boolean(),
  prerelease: z.boolean(),
  published_at: z.string().nullable(),
  // GitHub computes the digest of what is uploaded since June 2025: https://github.blog/changelog/, 2025-06-03.
  assets: z.array(z.object({ name: z.string(), digest: z.string().nullish() })).default([]),
});

export function githubReleases(fetch: Fetch, repository: string): Promise<Answer<Release>> {
  return answered(`GitHub's releases of ${repository}`, async () => {
    const url = `https://api.github.com/repos/${repository}/releases?per_page=100`;
    const releases = z.array(githubRelease).parse(await json(fetch, url));
    return releases.flatMap(({ tag_name, draft, prerelease, published_at, assets }) => {
      const version = stable.exec(tag_name)?.[1];
      return version && published_at && !draft && !prerelease
        ? [{ version, day: dayOf(published_at), digests: digestsOf(assets) }]
        : [];
    });
  });
}

function digestsOf(assets: z.infer<typeof githubRelease>["assets"]) {
  return Object.fromEntries(
    assets.flatMap(({ name, digest }) => {
      const sum = /^sha256:([0-9a-f]{64})$/.exec(digest ?? "")?.[1];
      return sum ? [[name, sum]] : [];
    }),
  );
}

const githubAdvisory = z.object({
  ghsa_id: z.string(),
  cve_id: z.string().nullable(),
  html_url: z.string(),
  summary: z.string(),
  vulnerabilities: z
    .array(
      z.object({
        vulnerable_version_range: z.string().nullable(),
        patched_versions: z.string().nullable(),
      }),
    )
    .nullable(),
});

export function githubAdvisories(fetch: Fetch, repository: string): Promise<Answer<Found>> {
  return answered(`GitHub's advisories of ${repository}`, async () => {
    const url = `https://api.github.com/repos/${repository}/security-advisories?state=published&per_page=100`;
    const advisories = z.array(githubAdvisory).parse(await json(fetch, url));
    return advisories.map(({ ghsa_id, cve_id, html_url, summary, vulnerabilities }) => ({
      ids: [ghsa_id, ...(cve_id ? [cve_id] : [])],
      source: html_url,
      summary,
      ranges: (vulnerabilities ?? []).flatMap(({ vulnerable_version_range, patched_versions }) => {
        const range = vulnerable_version_range ?? "";
        const introduced = />=?\s*v?(\d+\.\d+\.\d+)/.exec(range)?.[1];
        const patched = patched_versions?.match(/\d+\.\d+\.\d+/g) ?? [];
        return (patched.length > 0 ? patched : [firstAfter(range)]).map((fixed) => ({
          introduced,
          fixed,
        }));
      }),
    }));
  });
}

/** The first version that a range such as `< 1.2.3` or `<= 1.2.3` leaves out; undefined for one without an end. */
function firstAfter(range: string): string | undefined {
  const [, equals, minor, patch] = /<(=?)\s*v?(\d+\.\d+)\.(\d+)/.exec(range) ?? [];
  return patch === undefined ? undefined : `${minor}.${Number(patch) + (equals ? 1 : 0)}`;
}

const osvVulnerability = z.object({
  id: z.string(),
  aliases: z.array(z.string()).default([]),
  summary: z.string().default(""),
  withdrawn: z.string().optional(),
  affected: z
    .array(
      z.object({
        package: z.object({ name: z.string() }).optional(),
        ranges: z
          .array(
            z.object({
              type: z.string(),
              events: z.array(
                z.object({ introduced: z.string().optional(), fixed: z.string().optional() }),
              ),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});
const osvAnswer = z.object({ vulns: z.array(osvVulnerability).default([]) });

export function osvAdvisories(fetch: Fetch, goModule: string): Promise<Answer<Found>> {
  return answered(`OSV's advisories of ${goModule}`, async () => {
    const { vulns } = osvAnswer.parse(
      await json(fetch, "https://api.osv.dev/v1/query", {
        method: "POST",
        body: JSON.stringify({ package: { name: goModule, ecosystem: "Go" } }),
      }),
    );
    return vulns
      .filter(({ withdrawn }) => !withdrawn)
      .map(({ id, aliases, summary, affected }) => ({
        ids: [id, ...aliases],
        source: `https://osv.dev/vulnerability/${id}`,
        summary,
        ranges: affected
          .filter((each) => each.package?.name === goModule)
          .flatMap(({ ranges }) => ranges)
          .filter(({ type }) => type === "SEMVER")
          .flatMap(({ events }) => rangesOf(events)),
      }));
  });
}

/** Events come in order: each fix ends what was introduced before it. */
function rangesOf(events: { introduced?: string | undefined; fixed?: string | undefined }[]) {
  const ranges: Found["ranges"] = [];
  for (const { introduced, fixed } of events) {
    if (introduced) ranges.push({ introduced: introduced === "0" ? undefined : introduced });
    const open = ranges.at(-1);
    if (fixed && open) open.fixed = fixed;
  }
  return ranges;
}

const goInfo = z.object({ Version: z.string(), Time: z.string() });

/** The newest version that the proxy has, and those of its list that are newer than what is known. */
export function goReleases(
  fetch: Fetch,
  goModule: string,
  isNewer: (version: string) => boolean,
): Promise<Answer<Release>> {
  return answered(`The Go proxy's versions of ${goModule}`, async () => {
    const base = `https://proxy.golang.org/${goModule}`;
    const listed = await (await ok(fetch, `${base}/@v/list`)).text();
    const newer = listed.split("\n").flatMap((line) => {
      const version = stable.exec(line.trim())?.[1];
      return version && isNewer(version) ? [version] : [];
    });
    const latest = await fetch(`${base}/@latest`);
    const infos = await Promise.all([
      // A mirror may have no word on the newest version. It lists those that it has.
      ...(latest.ok ? [latest.json()] : []),
      ...newer.map((version) => json(fetch, `${base}/@v/v${version}.info`)),
    ]);
    return infos.flatMap((info) => {
      const { Version, Time } = goInfo.parse(info);
      const version = stable.exec(Version)?.[1];
      return version ? [{ version, day: dayOf(Time) }] : [];
    });
  });
}

/** Which tags of an image Docker Hub has, which it has not, and of which it did not say so. */
export async function imageTags(
  fetch: Fetch,
  image: string,
  tags: readonly string[],
): Promise<{ present: string[]; absent: string[]; missing: string[] }> {
  const repository = image.includes("/") ? image : `library/${image}`;
  const [namespace, name] = repository.split("/");
  const base = `https://hub.docker.com/v2/namespaces/${namespace}/repositories/${name}/tags`;
  const answers = await Promise.all(
    tags.map(async (tag) => {
      const answer = await answered(`Docker Hub's tag ${image}:${tag}`, async () => {
        // 200 where the tag exists, 404 where not: https://docs.docker.com/reference/api/hub/latest/, 2026-11-28.
        const response = await fetch(`${base}/${tag}`, { method: "HEAD" });
        if (!response.ok && response.status !== 404) throw new Error(`HTTP ${response.status}`);
        return [response.ok];
      });
      return { tag, answer };
    }),
  );
  const tagsThat = (exist: boolean) =>
    answers.flatMap(({ tag, answer }) =>
      "items" in answer && answer.items.includes(exist) ? [tag] : [],
    );
  return {
    present: tagsThat(true),
    absent: tagsThat(false),
    missing: answers.flatMap(({ answer }) => ("missing" in answer ? [answer.missing] : [])),
  };
}

async function answered<Item>(name: string, read: () => Promise<Item[]>): Promise<Answer<Item>> {
  try {
    return { items: await read() };
  } catch (error) {
    const why = error instanceof z.ZodError ? "an answer of another form" : String(error);
    return { missing: `${name}: ${why}` };
  }
}

async function json(fetch: Fetch, url: string, init?: RequestInit): Promise<unknown> {
  return (await ok(fetch, url, init)).json();
}

async function ok(fetch: Fetch, url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response;
}
