import {
  isList,
  isValueMap,
  type Path,
  type Value,
  valueAt,
} from "~/features/audit/files/configuration.ts";
import type { Part } from "~/features/audit/setup.ts";
import { setAt } from "../deployments/bundle/options/paths.ts";

/** Where something stands in somebody's files. */
export type Origin = { file: string; line: number };

/** An option of ours with the setting of theirs that it comes from. */
export type Mapping = Origin & { option: string; setting: string; theirs: string };

/** A setting of theirs that is not taken over, and why. */
export type UnmappedSetting = Origin & { setting: string; reason: string };

/** What is read of somebody's files, while it is read. */
export type Collected = {
  options: Record<string, unknown>;
  mappings: Mapping[];
  unmapped: UnmappedSetting[];
  /** What must not leave their machine: keys and passwords, by their names alone. */
  secrets: UnmappedSetting[];
};

export const nothingCollected = (): Collected => ({
  options: {},
  mappings: [],
  unmapped: [],
  secrets: [],
});

/** A setting as it is written: `rtc.tcp_port`. */
export const settingOf = (path: Path): string => path.join(".");

/** A value in a line. */
export function wordsOf(value: unknown): string {
  if (isList(value)) return value.map(wordsOf).join(", ");
  if (isValueMap(value)) {
    const { mime } = value;
    return typeof mime === "string" ? mime : JSON.stringify(value);
  }
  return String(value ?? "");
}

/** Where a path stands. Helm's values have LiveKit's configuration one level deeper, which `lineOf` knows. */
export const originOf = ({ file, lineOf }: Part, path: Path): Origin => ({
  file,
  line: lineOf(path),
});

/** Sets an option from a setting. */
export function addMapping(
  into: Collected,
  part: Part,
  path: Path,
  option: string,
  value: unknown,
  theirs: unknown = valueAt(part, ...path),
): void {
  setAt(into.options, option, value);
  into.mappings.push({
    ...originOf(part, path),
    ...{ option, setting: settingOf(path), theirs: wordsOf(theirs) },
  });
}

export function addUnmapped(into: Collected, part: Part, path: Path, reason: string): void {
  into.unmapped.push({ ...originOf(part, path), setting: settingOf(path), reason });
}

/** The values that are not maps, by their paths. A list is one value. */
export function leavesOf(value: Value | undefined, path: Path = []): [Path, Value][] {
  if (value === undefined || value === null) return [];
  if (!isValueMap(value)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}
