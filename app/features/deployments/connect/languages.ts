/** A language or platform with code to copy: the heading of its section in the documentation, and a page about it. */
type Language = { heading: string; page: string };

/** For the back end, which makes the tokens; as in `app/content/docs/tokens.md`. */
export const serverLanguages = {
  node: { heading: "Node", page: "/docs/tokens#node" },
  python: { heading: "Python", page: "/docs/tokens#python" },
  go: { heading: "Go", page: "/docs/tokens#go" },
  ruby: { heading: "Ruby", page: "/docs/tokens#ruby" },
  php: { heading: "PHP", page: "/docs/tokens#php" },
} as const satisfies Record<string, Language>;

/** For the app that joins; as in `app/content/docs/connect.md`. */
export const clientLanguages = {
  browser: { heading: "Browser", page: "/docs/connect-web" },
  flutter: { heading: "Flutter", page: "/docs/connect-flutter" },
  swift: { heading: "Swift", page: "/docs/connect-ios" },
  kotlin: { heading: "Kotlin", page: "/docs/connect-android" },
  unity: { heading: "Unity", page: "/docs/connect-unity" },
} as const satisfies Record<string, Language>;

export type ServerLanguage = keyof typeof serverLanguages;
export type ClientLanguage = keyof typeof clientLanguages;
export type ChosenLanguages = { server: ServerLanguage; client: ClientLanguage };

/** The first of the names that is a server's, and the first that is a client's; else Node and the browser. */
export function chosenLanguages(names: readonly string[]): ChosenLanguages {
  return {
    server: names.find(isIn(serverLanguages)) ?? "node",
    client: names.find(isIn(clientLanguages)) ?? "browser",
  };
}

function isIn<Name extends string>(languages: Readonly<Record<Name, Language>>) {
  return (name: string): name is Name => Object.hasOwn(languages, name);
}
