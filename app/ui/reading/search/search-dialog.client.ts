import { excerptOf, markWords } from "./excerpt";
import { searchIn } from "./search-index.client";
import type { Found } from "./search-sections";

// What the search of documentation and blog does once it is open. The dialog itself is in the page: search.tsx.

const queryKey = "search";

const listening = new WeakSet<HTMLDialogElement>();

/** Loads the index once for the document. Rejects when it cannot be had now; the next call tries again. */
export async function loadIndex(dialog: HTMLDialogElement): Promise<void> {
  await searchOf(dialog);
}

const searchOf = ({ dataset }: HTMLDialogElement) => searchIn(dataset.index ?? "");

/**
 * Shows what is found for the words in the field, or for the last ones of this tab, from now on as they change. Rejects
 * as `loadIndex` does.
 */
export async function show(dialog: HTMLDialogElement): Promise<void> {
  const input = dialog.querySelector("input");
  if (!input) return;
  await loadIndex(dialog);
  input.focus();
  if (!input.value) input.value = lastQuery();
  // Typing replaces what was searched before, and not what was typed meanwhile.
  if (input.value === lastQuery()) input.select();
  if (!listening.has(dialog)) {
    listening.add(dialog);
    input.addEventListener("input", () => showResults(dialog, input.value));
    dialog.addEventListener("keydown", (event) => moveByKey(event, dialog, input));
    // Browsers without `closedby` do not close it by a press beside it. Marking text from inside to outside is none.
    let pressBeganBeside = false;
    dialog.addEventListener("pointerdown", ({ target }) => {
      pressBeganBeside = target === dialog;
    });
    dialog.addEventListener("click", ({ target }) => {
      const isBeside = pressBeganBeside && target === dialog;
      if (isBeside || (target instanceof Element && target.closest("a"))) dialog.close();
    });
  }
  await showResults(dialog, input.value);
}

async function showResults(dialog: HTMLDialogElement, query: string): Promise<void> {
  const list = dialog.querySelector("ul");
  const status = dialog.querySelector("[role=status]");
  if (!list || !status) return;
  keepQuery(query);
  const trimmed = query.trim();
  const found = trimmed ? (await searchOf(dialog))(trimmed) : [];
  list.replaceChildren(...found.map(resultOf));
  dialog.dataset.state = trimmed && found.length === 0 ? "empty" : "ready";
  status.textContent = trimmed ? countOf(found.length) : "";
}

function countOf(results: number): string {
  if (results === 0) return "No page has these words.";
  return results === 1 ? "1 result" : `${results} results`;
}

function resultOf({ section, stems }: Found): HTMLLIElement {
  const { to, page, heading, text } = section;
  const kind = kindOf(to);
  const link = element("a", "block rounded-md px-3 py-2.5 hover:bg-well focus-visible:bg-well", [
    element("span", "block font-strong", markedWords(heading ?? page, stems)),
    element("span", "block text-sm text-ink-soft", [heading ? `${kind} › ${page}` : kind]),
    element("span", "mt-1 block text-sm", markedWords(excerptOf(text, stems), stems)),
  ]);
  link.href = to;
  return element("li", "", [link]);
}

function kindOf(address: string): string {
  if (address.startsWith("/docs")) return "Documentation";
  return address.startsWith("/blog/") ? "Blog" : "Site";
}

function markedWords(text: string, stems: ReadonlySet<string>): (Node | string)[] {
  return markWords(text, stems).map((piece) =>
    piece.isMatch
      ? element("mark", "rounded-sm bg-signal-well text-ink", [piece.text])
      : piece.text,
  );
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  children: readonly (Node | string)[],
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.replaceChildren(...children);
  return made;
}

/** Arrows walk through the field and the results, Enter in the field opens the first, Escape closes. */
function moveByKey(event: KeyboardEvent, dialog: HTMLDialogElement, input: HTMLInputElement) {
  const links = [...dialog.querySelectorAll<HTMLAnchorElement>("ul a")];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    const place = links.findIndex((link) => link.matches(":focus")) + step;
    event.preventDefault();
    if (place < 0) input.focus();
    else links[place]?.focus();
  } else if (event.key === "Enter" && event.target === input && !event.isComposing) {
    links[0]?.click();
  } else if (event.key === "Escape") {
    // By itself it would first empty the field.
    event.preventDefault();
    dialog.close();
  }
}

function lastQuery(): string {
  try {
    return sessionStorage.getItem(queryKey) ?? "";
  } catch {
    return "";
  }
}

function keepQuery(query: string): void {
  try {
    sessionStorage.setItem(queryKey, query);
  } catch {
    // Storage may be forbidden.
  }
}
