import type { Plugin } from "vite";

const entries: Record<string, string> = {
  "react/index.js": "react/cjs/react.production.js",
  "react/jsx-runtime.js": "react/cjs/react-jsx-runtime.production.js",
  "react-dom/index.js": "react-dom/cjs/react-dom.production.js",
  "react-dom/server.edge.js": "react-dom/cjs/react-dom-server.edge.production.js",
};
const entry = new RegExp(
  `/node_modules/(${Object.keys(entries).join("|").replaceAll(".", "\\.")})$`,
);
const production = new RegExp(
  `/node_modules/(${Object.values(entries).join("|").replaceAll(".", "\\.")})$`,
);

/**
 * Gives React to the server's build as modules. It is published as CommonJS, of which a bundler can
 * leave nothing out: prerendering and resuming alone are a tenth of its renderer.
 */
export function reactAsModules(): Plugin {
  return {
    name: "react-as-modules",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: ({ name }) => name === "ssr",
    transform(code, id) {
      const name = entry.exec(id)?.[1];
      if (name) {
        const file = JSON.stringify(`./${entries[name]?.slice(name.indexOf("/") + 1)}`);
        return {
          code: `export * from ${file}; import * as all from ${file}; export default all;`,
          map: null,
        };
      }
      return production.test(id) ? { code: asModule(code), map: null } : undefined;
    },
  };
}

/** One of React's production files with `import` and `export` for what it requires and assigns. */
function asModule(code: string): string {
  const exported = [...code.matchAll(/^exports\.(\w+) =/gm)].map(([, name = ""]) => name);
  const required = [...code.matchAll(/\b(\w+) = require\("([\w-]+)"\)/g)];
  const imports = required.map(([, name, from]) => `import * as ${name} from "${from}";`);
  const body = code
    // The name is the import's from here on. Copied into a variable, all of the module would stay.
    .replace(/\b(\w+) = require\("[\w-]+"\)/g, "$1$$$$required = 0")
    .replace(/^exports\.(\w+) =/gm, "const $1$$ =")
    // Only its identity counts. For the line of an Error, V8 would read the whole module again at start.
    .replace(/^var SuspenseException = Error\(/m, "var SuspenseException = Object(");
  const names = exported.map((name) => `${name}$ as ${name}`);
  const module = `${imports.join("\n")}\n${body}\nexport { ${names.join(", ")} };`;
  const keepsError =
    /Suspense Exception/.test(code) && !/^var SuspenseException = Object\(/m.test(module);
  if (keepsError || /\b(exports\.|require\()/.test(module))
    throw new Error("React's files changed their form");
  return module;
}
