import { readFileSync } from "node:fs";
import { createBuilder, type Plugin, resolveConfig } from "vite";

// Builds the project in the working directory as `react-router build` does, and prints as JSON what
// became of its libraries: see `ObservedBuild`. A program of its own, since a build is made where it runs.

/** A file of a library that a build bundled. */
type LibraryFile = {
  environment: string;
  file: string;
  /** Whether its code, after all plugins, is what the file on disk says. */
  isAsPublished: boolean;
};

/** An import whose module lies outside the package that it names. */
type RedirectedImport = { environment: string; source: string; target: string };

export type ObservedBuild = {
  files: LibraryFile[];
  redirected: RedirectedImport[];
  /** Names that the build replaces by constants, by environment. */
  defined: Record<string, string[]>;
  /** Plugins that `npm run dev` has and the build does not. */
  onlyInDevelopment: string[];
};

const observed: ObservedBuild = { files: [], redirected: [], defined: {}, onlyInDevelopment: [] };
const pluginsOfBuild = new Set<string>();

/** Before all plugins: where each import of a library leads. */
const imports: Plugin = {
  name: "observe-imports",
  enforce: "pre",
  configResolved({ environments, plugins }) {
    for (const { name } of plugins) pluginsOfBuild.add(name);
    for (const [name, { define = {} }] of Object.entries(environments)) {
      observed.defined[name] = Object.keys(define).sort();
    }
  },
  resolveId: {
    order: "pre",
    async handler(source, importer, options) {
      const expected = packageOf(importer, source);
      if (!expected) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      if (found && !found.external && !found.id.includes(`/node_modules/${expected}/`)) {
        const environment = this.environment.name;
        observed.redirected.push({ environment, source, target: found.id });
      }
      return found;
    },
  },
};

/** After all plugins: the code of each module as the bundler gets it. */
const code: Plugin = {
  name: "observe-code",
  enforce: "post",
  transform: {
    order: "post",
    handler(handedOn, id) {
      const [file = ""] = id.split("?");
      if (!/\/node_modules\/.+\.[cm]?js$/.test(file)) return;
      const isAsPublished = readFileSync(file, "utf8") === handedOn;
      observed.files.push({ environment: this.environment.name, file, isAsPublished });
    },
  },
};

/** The package in which the import should find its module; undefined where that is none. */
function packageOf(importer: string | undefined, source: string): string | undefined {
  const named = /^(?:@[\w.-]+\/)?[a-z][\w.-]*(?=\/|$)/.exec(source)?.[0];
  if (named) return named;
  if (!source.startsWith(".")) return undefined;
  return /.*\/node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//.exec(importer ?? "")?.[1];
}

/** The names of plugins, which may be nested in lists. */
function namesOf(plugins: unknown): string[] {
  if (Array.isArray(plugins)) return plugins.flatMap(namesOf);
  const isNamed = typeof plugins === "object" && plugins !== null && "name" in plugins;
  return isNamed ? [String(plugins.name)] : [];
}

process.env.NODE_ENV = "production";
const builder = await createBuilder({ logLevel: "error", plugins: [imports, code] });
await builder.buildApp();
const development = await resolveConfig({ logLevel: "error" }, "serve", "development");
const prebundling = Object.values(development.environments).flatMap(({ optimizeDeps }) =>
  namesOf(optimizeDeps.rolldownOptions?.plugins),
);
observed.onlyInDevelopment = [
  ...development.plugins.map(({ name }) => name),
  ...prebundling,
].filter((name) => !pluginsOfBuild.has(name));
// What reads the settings of development keeps watching files.
process.stdout.write(JSON.stringify(observed), () => process.exit());
