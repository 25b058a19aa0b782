import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { Document, parseDocument, stringify } from "yaml";
import {
  type AuditedFile,
  type GivenFile,
  readFile,
} from "../../../app/features/audit/files/audited-file.ts";
import type { Kind } from "../../../app/features/audit/files/kind.ts";
import { setupOf } from "../../../app/features/audit/setup.ts";

const folder = "test/support/audit/layouts";

/** Good configurations, written after public ones: each is a folder. */
export const layouts: Readonly<Record<string, Readonly<Record<string, string>>>> =
  Object.fromEntries(
    globSync(`${folder}/*`)
      .sort()
      .map((path) => [
        basename(path),
        Object.fromEntries(
          globSync(`${path}/*`)
            .sort()
            .map((file) => [basename(file), readFileSync(file, "utf8")]),
        ),
      ]),
  );

const read = new Map<string, ReturnType<typeof readFile>>();

/** Each text is read once. */
function readOnce(file: GivenFile): ReturnType<typeof readFile> {
  const id = `${file.name}\0${file.text}`;
  const known = read.get(id) ?? readFile(file);
  read.set(id, known);
  return known;
}

/** The plant has no place in this layout. */
export class NoPlace extends Error {}

type Path = (string | number)[];

/** A layout into which faults are planted, by what a file is rather than by its name. */
export class Scene {
  readonly texts: Record<string, string>;

  constructor(layout: string) {
    this.texts = { ...layouts[layout] };
  }

  get files() {
    return Object.entries(this.texts).map(([name, text]) => ({ name, text }));
  }

  private fileOf(kind: Kind): AuditedFile {
    const found = this.files
      .map(readOnce)
      .find((each): each is AuditedFile => "kind" in each && each.kind === kind);
    if (!found) throw new NoPlace();
    return found;
  }

  /** LiveKit's configuration stands one level deeper in Helm's values. */
  private place(kind: Kind, path: Path): { file: AuditedFile; path: Path } {
    if (kind !== "livekit") return { file: this.fileOf(kind), path };
    try {
      return { file: this.fileOf("livekit"), path };
    } catch {
      return { file: this.fileOf("helm"), path: ["livekit", ...path] };
    }
  }

  private change(kind: Kind, path: Path, how: (document: Document, path: Path) => void): void {
    const at = this.place(kind, path);
    const document = parseDocument(at.file.text, { merge: true });
    how(document, at.path);
    this.texts[at.file.name] = String(document);
  }

  get(kind: Kind, ...path: Path): unknown {
    const at = this.place(kind, path);
    const value: unknown = at.path.reduce<unknown>(
      (inside, key) => (inside as Record<string, unknown> | undefined)?.[key],
      at.file.configuration.value,
    );
    return value;
  }

  /** A plant that needs something of the layout. */
  needs(condition: unknown): void {
    if (!condition) throw new NoPlace();
  }

  set(kind: Kind, path: Path, value: unknown): void {
    this.change(kind, path, (document, at) => document.setIn(at, document.createNode(value)));
  }

  remove(kind: Kind, ...path: Path): void {
    this.needs(this.get(kind, ...path) !== undefined);
    this.change(kind, path, (document, at) => document.deleteIn(at));
  }

  /** Writes a key of a service of Compose. What it has from an anchor becomes its own. */
  setService(role: string, path: Path, value: unknown): void {
    this.changeService(role, (service) => service.setIn(path, service.createNode(value)));
  }

  /** Removes a key of a service, also where an anchor gives it. */
  removeService(role: string, ...path: Path): void {
    const { name } = this.service(role);
    this.needs(this.get("compose", "services", name, ...path) !== undefined);
    this.changeService(role, (service) => service.deleteIn(path));
  }

  private changeService(role: string, how: (service: Document) => void): void {
    const { name } = this.service(role);
    const file = this.fileOf("compose");
    const plain: Record<string, Record<string, unknown>> = parseDocument(file.text, {
      merge: true,
    }).toJS();
    const service = new Document(plain.services?.[name], { aliasDuplicateObjects: false });
    how(service);
    const services = { ...plain.services, [name]: service.toJS() };
    this.texts[file.name] = stringify({ ...plain, services }, { aliasDuplicateObjects: false });
  }

  service(role: string) {
    const files = this.files.map(readOnce).filter((each): each is AuditedFile => "kind" in each);
    const found = setupOf(files).services.find((each) => each.role === role);
    if (!found) throw new NoPlace();
    return found;
  }

  has(kind: Kind): boolean {
    try {
      return Boolean(this.fileOf(kind));
    } catch {
      return false;
    }
  }

  /** Changes a file that is no YAML. */
  replace(kind: Kind, from: string | RegExp, to: string): void {
    const file = this.fileOf(kind);
    const changed = file.text.replace(from, to);
    this.needs(changed !== file.text);
    this.texts[file.name] = changed;
  }

  add(name: string, text: string): void {
    this.texts[name] = text;
  }
}
