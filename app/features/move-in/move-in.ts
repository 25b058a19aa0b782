import {
  type AuditedFile,
  type GivenFile,
  maxFiles,
  type RefusedFile,
  readFile,
} from "~/features/audit/files/audited-file.ts";
import type { Kind } from "~/features/audit/files/kind.ts";
import { maskSecrets } from "~/features/audit/mask.ts";
import { type Setup, setupOf } from "~/features/audit/setup.ts";
import type { DeploymentOptions } from "../deployments/bundle/options/options.ts";
import { parseOptions } from "../deployments/bundle/options/parse-options.ts";
import { setAt, valueAt } from "../deployments/bundle/options/paths.ts";
import {
  type Collected,
  type Mapping,
  nothingCollected,
  type UnmappedSetting,
  wordsOf,
} from "./collected.ts";
import { compareLiveKit, type Difference, versionDifference } from "./difference.ts";
import { mapLiveKit, mapTurn } from "./livekit-options.ts";
import { optionWords } from "./option-words.ts";
import { certificateEmailOf, type NameAt, publicNamesOf } from "./public-names.ts";
import { mapServices } from "./service-options.ts";

/** What a deployment can have of somebody's LiveKit, by its files. No secret of the files is in it. */
export type MoveIn = {
  files: { name: string; kind: Kind }[];
  refused: RefusedFile[];
  /** Whether a configuration of LiveKit is among the files. */
  isFound: boolean;
  domain: string;
  email: string;
  /** Options of a deployment, without domain and email; all other ones are defaults. */
  options: Record<string, unknown>;
  mappings: (Mapping & { label: string; value: string })[];
  unmapped: UnmappedSetting[];
  secrets: UnmappedSetting[];
  differences: Difference[];
};

/** Stand for what no file says. They are nobody's. */
const examples = { domain: "livekit.example.com", email: "you@example.com" };
/** What stands in the place of a secret: ~/features/audit/mask.ts. */
const masked = /•/;

/** Reads files, and says what of them a deployment takes over, what it does not and why, and what differs. */
export function moveIn(given: readonly GivenFile[]): MoveIn {
  const read = maskSecrets(given.slice(0, maxFiles)).map(readFile);
  const refused = read.filter((each): each is RefusedFile => "message" in each);
  const files = read.filter((each): each is AuditedFile => "kind" in each);
  const setup = setupOf(files);
  const [livekit] = setup.livekit;
  const into = nothingCollected();
  mapNames(into, setup);
  if (livekit) {
    mapLiveKit(into, livekit, setup);
    mapTurn(into, livekit);
  }
  mapServices(into, setup, livekit);
  const whole = validOptions(into);
  const { domain, email, ...options } = into.options;
  const compared = livekit && compareLiveKit(livekit, whole);
  const settled = new Set(
    [...into.mappings, ...into.unmapped, ...into.secrets].map(
      ({ file, setting }) => `${file} ${setting}`,
    ),
  );
  const isDifferent = ({ file, setting }: Mapping) =>
    compared?.differences.some((each) => each.file === file && each.setting === setting);
  return {
    files: files.map(({ name, kind }) => ({ name, kind })),
    ...{ refused, isFound: livekit !== undefined, options },
    ...{ domain: wordsOf(domain), email: wordsOf(email) },
    // What is another value there is among the differences.
    mappings: into.mappings
      .filter((each) => !isDifferent(each))
      .map((each) => {
        const words = optionWords(each.option, whole);
        // Of a list that several lines say each line has its own.
        return {
          ...each,
          ...words,
          ...(each.option === "extraDomains" ? { value: each.theirs } : {}),
        };
      }),
    unmapped: [
      ...into.unmapped,
      ...(compared?.unmapped ?? []).filter(
        ({ file, setting }) => !settled.has(`${file} ${setting}`),
      ),
    ],
    secrets: into.secrets,
    differences: [...versionDifference(setup, whole), ...(compared?.differences ?? [])],
  };
}

/** Domain, further domains and the address for certificates. */
function mapNames(into: Collected, setup: Setup): void {
  const addName = (option: string, { name, setting, file, line }: NameAt) =>
    into.mappings.push({ option, setting, file, line, theirs: name });
  const [first, ...others] = publicNamesOf(setup);
  if (first) {
    into.options.domain = first.name;
    addName("domain", first);
  }
  if (others.length > 0) into.options.extraDomains = others.map(({ name }) => name);
  for (const each of others) addName("extraDomains", each);
  const email = certificateEmailOf(setup);
  if (!email) return;
  into.options.email = email.name;
  addName("email", email);
}

/**
 * The options that the parser takes. What it refuses is unmapped, and its sentence is the reason; of a list one entry. So
 * is what holds a secret: it must not be sent.
 */
function validOptions(into: Collected): DeploymentOptions {
  for (const { option } of [...into.mappings])
    if (masked.test(JSON.stringify(valueAt(into.options, option) ?? "")))
      refuse(into, option, "There is a secret in it. Type it in the wizard if it may be sent.");
  for (;;) {
    const { options, problems } = parseOptions({ ...examples, ...into.options });
    if (options) return options;
    const [problem] = problems;
    if (!problem) throw new Error("Options are refused for no reason.");
    const { path, message } = problem;
    const mapping =
      into.mappings.find(({ option }) => path === option || path.startsWith(`${option}.`)) ??
      // A name that serves two purposes is said at the second, which may be a default.
      into.mappings.find(({ theirs }) => message.startsWith(`${theirs} `)) ??
      into.mappings.at(-1);
    if (!mapping) throw new Error(message);
    refuse(into, mapping.option, message, path.startsWith(`${mapping.option}.`) ? path : undefined);
  }
}

/** Takes an option out again, or of a list the entry at `path`. */
function refuse(into: Collected, option: string, reason: string, path = ""): void {
  const value = valueAt(into.options, option);
  const index = Number(/\.(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  const entry = Array.isArray(value) && value.length > 1 ? value[index] : undefined;
  const isRefused = (mapping: Mapping) =>
    mapping.option === option && (entry === undefined || mapping.theirs === entry);
  const refused = into.mappings.filter(isRefused);
  const [mapping] =
    refused.length > 0 ? refused : into.mappings.filter((each) => each.option === option);
  if (mapping) {
    const { file, line, setting } = mapping;
    into.unmapped.push({ file, line, setting: entry ? `${setting}: ${entry}` : setting, reason });
  }
  into.mappings = into.mappings.filter((each) => !refused.includes(each));
  if (entry === undefined) removeAt(into.options, option);
  else setAt(into.options, option, (value as unknown[]).toSpliced(index, 1));
}

function removeAt(options: Record<string, unknown>, path: string): void {
  const [first = "", key] = path.split(".");
  const { [key ?? ""]: _, ...others } = Object(options[first]);
  if (key === undefined || Object.keys(others).length === 0) delete options[first];
  else options[first] = others;
}
