import { type AuditReport, audit } from "../audit";
import type { GivenFile } from "../files/audited-file";
import { textOfFile } from "../files/file-text";
import { kindWords } from "../files/kind";
import { summaryOf } from "../finding-words";
import { element } from "./element.client";
import { findingItem } from "./finding-item.client";

const reportKey = "audit";
const started = new WeakSet<HTMLElement>();

/** Works the page of `audit-form.tsx`. The files stay in the memory of this page; the tab remembers the report alone. */
export function startAudit(root: HTMLElement): void {
  if (started.has(root)) return;
  started.add(root);
  const part = <Type extends HTMLElement>(name: string) =>
    root.querySelector<Type>(`[data-audit-${name}]`);
  const chosen = part<HTMLInputElement>("files");
  const pasted = part<HTMLTextAreaElement>("text");
  const [summary, list, findings, moveIn] = ["summary", "list", "findings", "move-in"].map((name) =>
    part(name),
  );
  if (!chosen || !pasted || !summary || !list || !findings || !moveIn) return;
  let files: GivenFile[] = [];
  let pastes = 0;

  const show = (report: AuditReport) => {
    const refused = report.refused.map(({ name, line, message }) =>
      item(`${name}, line ${line}: ${message}.`, "text-failure", name),
    );
    summary.textContent = summaryOf(report);
    list.replaceChildren(
      ...report.files.map(({ name, kind }) => item(`${name}: ${kindWords[kind]}`, "", name)),
      ...refused,
    );
    findings.replaceChildren(...report.findings.map(findingItem));
    moveIn.className = report.files.some(({ kind }) => kind === "livekit" || kind === "helm")
      ? "mt-3"
      : "hidden";
  };

  const item = (words: string, style: string, name: string): HTMLLIElement => {
    const line = element("li", `flex flex-wrap items-center gap-x-3 ${style}`, [
      element("span", "min-w-0 break-words", [words]),
    ]);
    if (!files.some((file) => file.name === name)) return line;
    const remove = element(
      "button",
      "min-h-11 px-2 font-strong text-ink hover:text-signal print:hidden",
      ["Remove"],
    );
    remove.type = "button";
    remove.setAttribute("aria-label", `Remove ${name}`);
    remove.addEventListener("click", () => {
      files = files.filter((file) => file.name !== name);
      refresh();
      chosen.focus();
    });
    line.appendChild(remove);
    return line;
  };

  const refresh = () => {
    if (files.length === 0) return clear();
    const report = audit(files);
    remember(report);
    show(report);
  };

  const clear = () => {
    files = [];
    remember(undefined);
    summary.textContent = "";
    list.replaceChildren();
    findings.replaceChildren();
    moveIn.className = "hidden";
  };

  /** A file that is given again replaces the one of before. */
  const add = (given: readonly GivenFile[]) => {
    const names = new Set(given.map(({ name }) => name));
    files = [...files.filter(({ name }) => !names.has(name)), ...given];
    refresh();
  };

  const take = async (selected: FileList | null | undefined) => {
    if (!selected?.length) return;
    add(await Promise.all([...selected].map(textOfFile)));
    chosen.value = "";
  };

  chosen.addEventListener("change", () => take(chosen.files));
  root.addEventListener("dragover", (event) => event.preventDefault());
  root.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer?.files);
  });
  part("paste")?.addEventListener("click", () => {
    if (pasted.value.trim() !== "") {
      add([{ name: `pasted text ${++pastes}`, text: pasted.value }]);
      pasted.value = "";
    }
    pasted.focus();
  });
  part("clear")?.addEventListener("click", () => {
    clear();
    chosen.focus();
  });
  // Who makes something else of the files hears of it here: they are in no other place.
  moveIn.addEventListener("click", (event) => {
    const link = event.target instanceof Element && event.target.closest("a");
    if (!link || files.length === 0) return;
    event.preventDefault();
    link.dispatchEvent(new CustomEvent("audit-move-in", { bubbles: true, detail: files }));
  });
  const last = remembered();
  if (last) show(last);
  // What was chosen while this was loaded.
  take(chosen.files);
}

/** Without secrets: the report has none. */
function remember(report: AuditReport | undefined): void {
  try {
    if (report) sessionStorage.setItem(reportKey, JSON.stringify(report));
    else sessionStorage.removeItem(reportKey);
  } catch {
    // Storage may be forbidden, or full.
  }
}

function remembered(): AuditReport | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(reportKey) ?? "null") ?? undefined;
  } catch {
    return;
  }
}
