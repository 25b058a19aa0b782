import { createContext, useContext, useMemo, useState } from "react";
import { compiledHtml } from "./trusted-types";
import "./copy-code.client";
import "./prose.css";

/** The text of the page; only the server knows it, and only while it renders. */
export const TextContext = createContext<string | null>(null);

const elementId = "page-text";

/**
 * Long text that we wrote and compiled ourselves. A document brings it once, in its body, and not
 * again for hydration: the browser then takes it from there. Later pages bring it as loader data.
 */
export function Prose({ html }: { html: string | undefined }) {
  const rendered = useContext(TextContext);
  const [arrived] = useState(() => rendered ?? textOfDocument());
  const text = html ?? arrived;
  const trusted = useMemo(() => compiledHtml(text), [text]);
  return (
    <div
      id={elementId}
      className="prose"
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: compiled from our own files
      dangerouslySetInnerHTML={{ __html: trusted }}
    />
  );
}

function textOfDocument(): string {
  if (typeof document === "undefined") return "";
  return document.getElementById(elementId)?.innerHTML ?? "";
}
