/** The values of a document. A key whose value is undefined is not written. */
export type Yaml = string | number | boolean | null | readonly Yaml[] | YamlMap;
export type YamlMap = { readonly [key: string]: Yaml | undefined };

/** A text that needs no quotes in either version of YAML. */
const plain = /^[A-Za-z/](?:[A-Za-z0-9_./@+-]|:(?=[A-Za-z0-9/]))*$/;
/** Words that YAML 1.1 reads as a boolean or as null. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
/** A document in block style below a comment. Parsers of YAML 1.1 and of YAML 1.2 read it alike. */
export function yamlDocument(value: YamlMap, comment = ""): string {
  const head = comment
    .split("\n")
    .map((line) => (line === "" ? "" : `# ${line}\n`))
    .join("");
  return `${head}${mapLines(value, "")}`;
}

function mapLines(map: YamlMap, indent: string): string {
  let text = "";
  for (const [key, value] of Object.entries(map)) {
    if (value !== undefined) text += `${indent}${scalar(key)}:${after(value, indent)}`;
  }
  return text;
}

/** The text after a key or a dash, with its line end. */
function after(value: Yaml, indent: string): string {
  if (typeof value === "object" && value !== null) {
    const lines = isList(value) ? listLines(value, `${indent}  `) : mapLines(value, `${indent}  `);
    return lines === "" ? (isList(value) ? " []\n" : " {}\n") : `\n${lines}`;
  }
  if (typeof value === "string" && value.length > 60 && isLiteral(value))
    return literalBlock(value, `${indent}  `);
  return ` ${scalar(value)}\n`;
}

/** Whether a literal block holds a text unchanged: lines of ASCII, the first without an indent, the last not empty. */
export function isLiteral(text: string): boolean {
  return /^[!-~][\t\n -~]*$/.test(text) && /[^\n]\n$/.test(text.slice(-2));
}

/** A literal text after its key. An empty line gets no indent. */
export function literalBlock(text: string, indent: string): string {
  return ` |\n${indent}${text.replace(/\n(?=.)/g, `\n${indent}`)}`;
}

function listLines(list: readonly Yaml[], indent: string): string {
  let text = "";
  for (const value of list) {
    if (typeof value === "object" && value !== null && !isList(value)) {
      const lines = mapLines(value, `${indent}  `);
      text += lines === "" ? `${indent}- {}\n` : `${indent}- ${lines.slice(indent.length + 2)}`;
    } else text += `${indent}-${after(value, indent)}`;
  }
  return text;
}

function isList(value: readonly Yaml[] | YamlMap): value is readonly Yaml[] {
  return Array.isArray(value);
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== "string") return String(value);
  if (plain.test(value) && !reserved.test(value)) return value;
  return JSON.stringify(value).replace(/[^ -~]/gu, escaped);
}

function escaped(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff
    ? `\\U${point.toString(16).padStart(8, "0")}`
    : `\\u${point.toString(16).padStart(4, "0")}`;
}
