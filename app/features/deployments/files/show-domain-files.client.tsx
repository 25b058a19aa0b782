import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { DomainFiles } from "./domain-files";

const roots = new WeakMap<HTMLElement, Root>();

/** Shows the files for a domain in an element that nothing else renders into, with React, wherever that is. */
export function showDomainFiles(typed: string, within: HTMLElement): void {
  const root = roots.get(within) ?? createRoot(within);
  roots.set(within, root);
  root.render(
    <StrictMode>
      <DomainFiles typed={typed} />
    </StrictMode>,
  );
}
