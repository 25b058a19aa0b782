import {
  type AuditedFile,
  type GivenFile,
  maxFiles,
  type RefusedFile,
  readFile,
} from "./files/audited-file.ts";
import type { Kind } from "./files/kind.ts";
import { maskSecrets } from "./mask.ts";
import type { Place, Rule } from "./rule.ts";
import { rules } from "./rules/rules.ts";
import { setupOf } from "./setup.ts";

/** What a rule found, ready to be shown: no secret of the files is in it. */
export type AuditFinding = Omit<Rule, "find"> &
  Place & {
    /** The line as the file has it, without secrets. */
    text: string;
  };

export type AuditReport = {
  files: { name: string; kind: Kind }[];
  refused: RefusedFile[];
  findings: AuditFinding[];
};

/** Reads files and says what is wrong, insecure, outdated or slow in them. */
export function audit(given: readonly GivenFile[]): AuditReport {
  const read = maskSecrets(given.slice(0, maxFiles)).map(readFile);
  const refused = read.filter((each): each is RefusedFile => "message" in each);
  const tooMany = given.slice(maxFiles).map(({ name }) => ({
    name,
    line: 1,
    message: `No more than ${maxFiles} files are read at once`,
  }));
  const files = read.filter((each): each is AuditedFile => "kind" in each);
  const setup = setupOf(files);
  const found = rules.flatMap(({ find, ...rule }) =>
    [...find(setup)].flatMap((place) =>
      place === undefined ? [] : [{ ...rule, ...place, text: lineOf(files, place) }],
    ),
  );
  return {
    files: files.map(({ name, kind }) => ({ name, kind })),
    refused: [...refused, ...tooMany],
    findings: found.sort(
      (one, other) =>
        order(one) - order(other) || one.file.localeCompare(other.file) || one.line - other.line,
    ),
  };
}

const order = ({ severity }: Rule | AuditFinding): number => (severity === "critical" ? 0 : 1);

function lineOf(files: readonly AuditedFile[], { file, line }: Place): string {
  return (
    files
      .find(({ name }) => name === file)
      ?.text.split("\n")
      [line - 1]?.trim() ?? ""
  );
}
