import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { composeProblems, unknownKeys } from "../../support/deployments/bundle-checks.ts";
import { runningMachine } from "../../support/deployments/machine.ts";
import {
  type CodeBlock,
  codeBlocks,
  documentedPages,
} from "../../support/documentation/code-blocks.ts";
import { deploymentOfThePages } from "../../support/documentation/documented-deployment.ts";
import { type KubernetesVariant, kubernetesVariants } from "../../support/kubernetes/variants.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";

/** What the pages show parts of: the deployment that they describe, and what other answers change in it. */
const generated = [
  {},
  { recording: { kind: "s3", bucket: "my-recordings", region: "eu-west-1" } },
  { mediaUdp: "single" },
  { insights: { kind: "none" } },
].map((changes) => bundle(optionsFrom({ ...deploymentOfThePages, ...changes })).files);

/** What the machine itself writes beside the files of the bundle. */
function writtenOnMachine(path: string): { content: string }[] {
  using server = runningMachine(deploymentOfThePages);
  return server.has(`opt/livekit/${path}`) ? [{ content: server.read(`opt/livekit/${path}`) }] : [];
}

/** At the end of a label: the file is not one of a bundle. The reader sees it. */
const byHand = " of a server made by hand";

/** Languages of programs, which other tests run. */
const programs = "csharp dart go html javascript kotlin php python ruby swift typescript".split(
  " ",
);

/** Files of the reader's own project, which no bundle has. */
const readersOwn = [
  "pubspec.yaml",
  "Environment of a worker",
  "prometheus.yaml of your own Prometheus",
  "prometheus.yaml, every server",
  "otelcol.yaml",
  "livekit.yaml of a LiveKit that runs as it was",
  ".github/workflows/livekit.yaml",
];

/** Whether everything of `part` is in `whole`; lists may be in another order. */
function isPart(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return Array.isArray(whole) && part.every((one) => whole.some((other) => isPart(one, other)));
  if (typeof part !== "object" || part === null) return part === whole;
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return false;
  const theirs: Record<string, unknown> = { ...whole };
  return Object.entries(part).every(([key, value]) => isPart(value, theirs[key]));
}

const withoutComments = (text: string) =>
  text
    .split("\n")
    // Which address a machine has, nobody knows beforehand.
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, "")
        .replace(/^NODE_IP=.*/, "NODE_IP=")
        .trimEnd(),
    )
    .filter(Boolean);

/** Files that the site itself offers, for a page. */
const offered: Readonly<Record<string, string>> = { "docs/kubernetes": "public/kubernetes" };

/** Why a block is not what its label says; nothing when it is. */
function faultOf({ page, label, language, text }: CodeBlock): string | undefined {
  const folder = offered[page];
  if (folder) return faultOfOffered(join(folder, label.split(" ")[0] ?? ""), label, text);
  const name = label.replace(byHand, "").split(" ")[0] ?? "";
  if (label.endsWith(byHand)) {
    if (name === "docker-compose.yaml") return composeProblems(text)[0];
    if (name === "livekit.yaml") return unknownKeys("livekit", "v1.13.5", text)[0];
    return withoutComments(text).find((line) => !/^(\[\w+\]|[A-Z]\w+=\S.*)$/.test(line));
  }
  if (readersOwn.includes(label)) return undefined;
  const candidates = [
    ...generated.flatMap((files) => files.filter(({ path }) => path === name)),
    ...(name.startsWith("state/") ? writtenOnMachine(name) : []),
  ];
  if (candidates.length === 0) return `no bundle has a file ${name || "without a name"}`;
  const fits = candidates.some(({ content }) =>
    language === "yaml"
      ? isPart(parse(text), parse(content))
      : withoutComments(text).every((line) => withoutComments(content).includes(line)),
  );
  return fits ? undefined : `this is not in the ${name} of a bundle`;
}

/** A file is shown whole; with a change for some place, as that place has it. */
function faultOfOffered(file: string, label: string, text: string): string | undefined {
  if (!existsSync(file)) return `the site offers no ${file}`;
  const [, place] = / on (\w+)$/.exec(label) ?? [];
  const whole = readFileSync(file, "utf8");
  if (!place) return whole === text ? undefined : `this is not ${file}`;
  const variant = kubernetesVariants[place.toLowerCase() as KubernetesVariant];
  return isPart(parse(text), parse(variant(whole))) ? undefined : `this is not ${file} ${place}`;
}

/** Why a block cannot be what it shows; nothing when it can. */
const checks: Readonly<Record<string, (block: CodeBlock) => string | undefined>> = {
  yaml: faultOf,
  ini: faultOf,
  json({ text }) {
    JSON.parse(text);
    return undefined;
  },
  http({ text }) {
    const [, method, path] = /^(GET|POST) (\/\S*) HTTP\/1\.1\n/.exec(text) ?? [];
    const isRoute = siteRoutes().some((route) => route.path === path);
    return method && isRoute ? undefined : "this is no request to an address of the site";
  },
};

const blocks = documentedPages.flatMap(codeBlocks);

test("commands are broken where a person would break them: they fit their box on a wide screen", () => {
  const long = blocks
    .filter(({ language }) => language === "bash")
    .flatMap(({ place, text }) => text.split("\n").map((line) => `${place} ${line}`))
    .filter((line) => line.slice(line.indexOf(" ") + 1).length > 76);
  expect(long).toEqual([]);
});

test("every code block is in a language that a test looks at", () => {
  const languages = [...Object.keys(checks), ...programs, "bash", "text"];
  expect(blocks.filter(({ language }) => !languages.includes(language))).toEqual([]);
});

test.each(
  blocks.flatMap((block) => {
    const check = checks[block.language];
    return check ? [[block.place, block, check] as const] : [];
  }),
)("what %s shows is in the file that is made", (_, block, check) => {
  expect(check(block)).toBeUndefined();
});
