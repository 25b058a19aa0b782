import type { Comparison } from "./api/answers.ts";
import { coloured, count, plain } from "./text.ts";

/** GitHub takes 65,536 characters in a comment. */
const maxMarkdown = 60_000;

export const isEqual = ({ options, files }: Comparison): boolean =>
  options.length === 0 && files.length === 0;

/** What is to be done about a server that runs, by the API's word for it. */
const taskWords: Readonly<Record<string, string>> = {
  machine: "Make a new machine: only a new one has what you chose.",
  resize: "Change the size of the machine at your provider.",
  role: "Let the machine write to your bucket, by its role at your provider.",
  firewall: "Change the provider's firewall to the new list of ports.",
  dns: "Set the new DNS records.",
  "other-domain": "Give your apps the new address.",
  apply: "Bring the new version to the server.",
};

const effectWords: Readonly<Record<string, string>> = {
  nothing: "keeps what it has",
  restart: "restarts",
  resize: "is resized",
  machine: "is made anew",
};

const tasksOf = ({ tasks }: Comparison): string[] => tasks.map((task) => taskWords[task] ?? task);
const effectOf = (effect: string): string => effectWords[effect] ?? effect;

function valueText(value: unknown): string {
  if (value === null) return "not set";
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}

function headlineOf({ version, options, files }: Comparison): string {
  return `${count(options.length, "option")} and ${count(files.length, "file")} differ from version ${version}.`;
}

const equalText = ({ version }: Comparison): string => `Nothing differs from version ${version}.\n`;

/** A comparison for people at a terminal. */
export function textOf(comparison: Comparison, isColoured: boolean): string {
  if (isEqual(comparison)) return equalText(comparison);
  const { options, files } = comparison;
  const width = Math.max(...options.map(({ path }) => path.length));
  const paint = (line: string) => {
    if (line.startsWith("+")) return coloured(line, "green", isColoured);
    if (line.startsWith("-")) return coloured(line, "red", isColoured);
    return line.startsWith("@@") ? coloured(line, "cyan", isColoured) : line;
  };
  const parts = [
    `${headlineOf(comparison)}\n`,
    ...options.map(
      ({ path, before, after, effect }) =>
        `  ${path.padEnd(width)}  ${plain(valueText(before))} → ${plain(valueText(after))} (a running server ${effectOf(effect)})`,
    ),
    ...files.map(({ name, change, added, removed, diff }) =>
      [
        `\n${coloured(`${name}: ${change}, +${added} -${removed}`, "bold", isColoured)}`,
        ...plain(diff).trimEnd().split("\n").map(paint),
      ].join("\n"),
    ),
    "\nTo do about a server that runs:",
    ...tasksOf(comparison).map((words, at) => `  ${at + 1}. ${words}`),
  ];
  return `${parts.join("\n")}\n`;
}

/** A comparison for a comment of a pull request. It begins with a mark by which the comment is found again. */
export function markdownOf(comparison: Comparison): string {
  const mark = "<!-- livekit-deploy -->\n### LiveKit\n\n";
  if (isEqual(comparison)) return mark + equalText(comparison);
  const { options, files } = comparison;
  const rows = options.map(({ path, before, after, effect }) =>
    ["", path, valueText(before), valueText(after), effectOf(effect), ""].map(cellOf).join("|"),
  );
  const table = [
    "| Option | Saved | New | A running server |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ];
  const tasks = tasksOf(comparison).map((words, at) => `${at + 1}. ${words}`);
  const head = [
    `${mark}${headlineOf(comparison)}\n`,
    ...(options.length > 0 ? table : []),
    "To do about a server that runs:\n",
    ...tasks,
    "",
  ].join("\n");
  let text = head;
  for (const { name, added, removed, diff } of files) {
    const fence = fenceFor(diff);
    const part = `\n<details><summary><code>${name}</code> +${added} −${removed}</summary>\n\n${fence}diff\n${plain(diff).trimEnd()}\n${fence}\n\n</details>\n`;
    if (text.length + part.length > maxMarkdown) {
      return `${text}\nMore does not fit here: \`livekit-deploy diff\` prints all of it.\n`;
    }
    text += part;
  }
  return text;
}

/** A cell of a table, as code: neither a bar nor a backtick of a value ends it. */
function cellOf(text: string): string {
  if (text === "") return "";
  const line = plain(text).replaceAll(/\s+/g, " ").replaceAll("|", "\\|");
  const ticks = "`".repeat(longestTicks(line) + 1);
  return ` ${ticks} ${line} ${ticks} `;
}

/** More backticks than the text has anywhere, so that nothing in it ends the block. */
const fenceFor = (text: string): string => "`".repeat(Math.max(3, longestTicks(text) + 1));

const longestTicks = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
