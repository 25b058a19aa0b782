import { readFileSync } from "node:fs";
import { parse } from "yaml";
import * as z from "zod/mini";
import { Failure, UsageError } from "./command.ts";
import { whyUnreadable } from "./text.ts";

const maxBytes = 32 * 1024;
const optionsSchema = z.record(z.string(), z.unknown());

/** The options in the one file that a line names: JSON, or YAML by its ending. The site says whether they make a server. */
export function optionsIn(files: readonly string[]): Record<string, unknown> {
  const [file, ...more] = files;
  if (file === undefined || more.length > 0) throw new UsageError("Name one file of options.");
  const text = textOf(file);
  if (Buffer.byteLength(text) > maxBytes) throw new Failure(`${file}: It has more than 32 KiB.`);
  const read = optionsSchema.safeParse(valueIn(file, text));
  if (!read.success) throw new Failure(`${file}: It is no object of options.`);
  // Editors find the schema by it.
  const { $schema: _, ...options } = read.data;
  return options;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Failure(`${file}: ${whyUnreadable(error)}.`);
  }
}

function valueIn(file: string, text: string): unknown {
  const isYaml = /\.ya?ml$/i.test(file);
  try {
    return isYaml ? parse(text) : JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    throw new Failure(`${file}: It is no ${isYaml ? "YAML" : "JSON"}: ${reason}`);
  }
}
