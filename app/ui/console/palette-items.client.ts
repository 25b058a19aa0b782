import searchIndex from "virtual:search-index";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { consoleNavigation, paletteWords as words } from "~/content/console";
import { toggleDarkMode } from "~/ui/chrome/theme";
import { atWorkspace } from "./console-path";

/** Something that the palette leads to or does. */
export type Item = {
  group: string;
  label: string;
  detail?: string;
  action: { to: string } | { run: () => void };
};

const pagesBelow = (base: string): readonly Item[] =>
  [...consoleNavigation(base), { to: `${base}/plan`, label: words.plan }].map(({ to, label }) => ({
    group: words.pages,
    label,
    action: { to },
  }));

const actionsBelow = (base: string): readonly Item[] => [
  { group: words.actions, label: words.create, action: { to: `${base}/deployments/new` } },
  { group: words.actions, label: words.connect, action: { to: `${base}/servers/connect` } },
  { group: words.actions, label: words.theme, action: { run: toggleDarkMode } },
  { group: words.actions, label: words.signOut, action: { run: signOut } },
];

/** By the form of the account's menu, so that whatever listens to it does here too. */
function signOut() {
  document.querySelector<HTMLFormElement>("form[action='/signout']")?.requestSubmit();
}

const namesShape = z.object({
  deployments: z.array(z.object({ id: z.string(), name: z.string() })),
  servers: z.array(z.object({ id: z.string(), name: z.string(), state: z.optional(z.string()) })),
});

type Names = { deployments: readonly Item[]; servers: readonly Item[] };

/** The deployments of a workspace and its servers, read once; undefined while they are read. */
function useNames(base: string): Names | "unread" | undefined {
  const [names, setNames] = useState<Names | "unread">();
  useEffect(() => {
    const reading = new AbortController();
    readNames(base, reading.signal).then(setNames, () => {
      if (!reading.signal.aborted) setNames("unread");
    });
    return () => reading.abort();
  }, [base]);
  return names;
}

async function readNames(base: string, signal: AbortSignal): Promise<Names> {
  const response = await fetch(atWorkspace("/deployments/names", base, { with: "servers" }), {
    signal,
  });
  if (!response.ok) throw new Error(`The names answered ${response.status}`);
  const { deployments, servers } = namesShape.parse(await response.json());
  return {
    deployments: deployments.map(({ id, name }) => ({
      group: words.deployments,
      label: name,
      action: { to: `${base}/deployments/${id}` },
    })),
    servers: servers.map(({ id, name, state }) => ({
      group: words.servers,
      label: name,
      ...(state === undefined ? {} : { detail: state }),
      action: { to: `${base}/servers/${id}` },
    })),
  };
}

/**
 * What the documentation has for these words, undefined while it is searched: what was found for the words before them
 * must not be chosen. The index is loaded with the first of them.
 */
function useDocumentation(query: string): readonly Item[] | undefined {
  const [found, setFound] = useState<{ query: string; items: readonly Item[] }>();
  useEffect(() => {
    let isWanted = true;
    findDocumentation(query).then(
      (items) => {
        if (isWanted) setFound({ query, items });
      },
      // Without the index the rest of the palette works.
      () => {
        if (isWanted) setFound({ query, items: [] });
      },
    );
    return () => {
      isWanted = false;
    };
  }, [query]);
  return found?.query === query ? found.items : undefined;
}

const maxSections = 5;
/** So many of a large fleet are shown, the worst first: before anything is typed, and of those that have the words. */
const maxServers = { untyped: 5, typed: 20 };

async function findDocumentation(query: string): Promise<Item[]> {
  if (!query) return [];
  const { searchIn } = await import("~/ui/reading/search/search-index.client");
  const search = await searchIn(searchIndex);
  return search(query)
    .slice(0, maxSections)
    .map(({ section: { to, page, heading } }) => ({
      group: words.documentation,
      label: heading ?? page,
      ...(heading ? { detail: page } : {}),
      action: { to },
    }));
}

/**
 * Everything below `base` that has all words of the query, by group; whether deployments are missing from it, and
 * whether the documentation is still searched.
 */
export function useItems(
  base: string,
  typed: string,
): { items: readonly Item[]; isUnread: boolean; isSearching: boolean } {
  const query = typed.trim().toLowerCase();
  const names = useNames(base);
  const documentation = useDocumentation(query);
  const queryWords = query.split(/\s+/);
  const isUnread = names === "unread";
  const { deployments, servers } = names && !isUnread ? names : { deployments: [], servers: [] };
  const matching = (items: readonly Item[]) =>
    items.filter(({ label }) => {
      const name = label.toLowerCase();
      return queryWords.every((word) => name.includes(word));
    });
  return {
    items: [
      ...matching([...pagesBelow(base), ...deployments]),
      ...matching(servers).slice(0, query ? maxServers.typed : maxServers.untyped),
      ...matching(actionsBelow(base)),
      ...(documentation ?? []),
    ],
    isUnread,
    isSearching: documentation === undefined,
  };
}
