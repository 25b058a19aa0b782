import type { GivenFile } from "./files/audited-file.ts";

/** What stands in the place of a secret. No file begins a value with it. */
const dot = "•";

/** What everybody knows is no secret, and rules look for it. Neither is the name of a variable. */
const known =
  /^(secret\d*|devsecret|change[-_ ]?me.*|your[-_ ].*|replace[-_ ].*|x{3,}|<.*>|\{\{.*\}\}|true|false|null|~|)$/i;

const value = String.raw`("[^"\n]*"|'[^'\n]*'|[^\s,{}\[\]#"'|>][^\s,}\]"']*)`;
/** The end of a key that names a secret. What is before it does not matter. */
const name =
  "(?:secret|password|passwd|credential|account_key|access_key|secret_key|private_key|token|mac_key)[\"']?";

/** What comes before a secret, and the secret. */
const secrets: readonly RegExp[] = [
  new RegExp(String.raw`(${name}[ \t]*[:=][ \t]*)${value}`, "gi"),
  new RegExp(String.raw`(\b(?:requirepass|masterauth)[ \t=]+)${value}`, "gi"),
  /(LIVEKIT_KEYS["']?[ \t]*[:=][ \t]*["']?[^\s:"'|>]+:[ \t]*)([^\s"']+)/g,
  /(--keys[= ]["']?[^\s:"']+:[ \t]*)([^\s"']+)/g,
  /(\b[a-z]{1,12}:\/\/[^\s:@/]{0,200}:)([^\s@/]{1,500})(?=@)/gi,
  /(^[ \t]*user\s.*?>)(\S+)/gim,
  /(basicauth\.users\s*[=:]\s*["']?[^:\s]+:)([^\s"']+)/gi,
];

const keyBlock =
  /^(\s*)(?:-\s*)?["']?(?:keys|LIVEKIT_KEYS)["']?:\s*(?:[|>][-+]?)?\s*(\{.*\})?\s*(?:#.*)?$/;
const pair = new RegExp(String.raw`((?:^|[{,])\s*["']?[\w.-]+["']?\s*:\s*)${value}`, "g");
const pem = /(-----BEGIN [A-Z ]*PRIVATE KEY-----)([\s\S]*?)(-----END)/g;

/**
 * The files without their secrets: each is replaced by as many dots, and the same secret by the same ones in all files. So
 * rules find in them what they would find in the originals, and nothing that is shown, copied or stored holds a secret.
 */
export function maskSecrets(files: readonly GivenFile[]): GivenFile[] {
  const marks = new Map<string, string>();
  const masked = (secret: string): string => {
    const quote = /^["']/.exec(secret)?.[0] ?? "";
    const inside = quote ? secret.slice(1, -1) : secret;
    if (known.test(inside) || inside.startsWith(dot) || inside.includes("$")) return secret;
    const mark = marks.get(inside) ?? markOf(marks.size, inside.length);
    marks.set(inside, mark);
    return `${quote}${mark}${quote}`;
  };
  return files.map((file) => ({ ...file, text: maskedText(file.text, masked) }));
}

/** As long as the secret, with its number at the end, in letters. */
function markOf(number: number, length: number): string {
  const letters = number.toString(36);
  return length > letters.length ? letters.padStart(length, dot) : dot.repeat(length);
}

function maskedText(text: string, masked: (secret: string) => string): string {
  const replace = (_: string, before: string, secret: string) => before + masked(secret);
  let result = text.replace(
    pem,
    (_, begin, inside, end) => begin + inside.replace(/\S/g, dot) + end,
  );
  for (const each of secrets) result = result.replace(each, replace);
  let block: number | undefined;
  return result
    .split("\n")
    .map((line) => {
      const opening = keyBlock.exec(line);
      if (opening) {
        block = opening[2] ? undefined : (opening[1]?.length ?? 0);
        return opening[2] ? line.replace(pair, replace) : line;
      }
      if (block === undefined || line.trim() === "" || line.trim().startsWith("#")) return line;
      if (line.search(/\S/) <= block) {
        block = undefined;
        return line;
      }
      return line.replace(pair, replace);
    })
    .join("\n");
}
