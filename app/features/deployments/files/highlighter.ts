import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import ini from "highlight.js/lib/languages/ini";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import nginx from "highlight.js/lib/languages/nginx";
import python from "highlight.js/lib/languages/python";
import yaml from "highlight.js/lib/languages/yaml";

/** The same three tones as the code samples of the documentation. */
export type Tone = "name" | "value" | "quiet";

export type Run = { text: string; tone: Tone | undefined };

const grammars = { bash, ini, json, markdown, nginx, python, yaml };
for (const [name, grammar] of Object.entries(grammars)) highlighter.registerLanguage(name, grammar);

/** The grammar for each language that a bundle's files name. */
const grammarOf: Record<string, keyof typeof grammars> = {
  yaml: "yaml",
  shell: "bash",
  env: "ini",
  ini: "ini",
  conf: "nginx",
  nft: "nginx",
  json: "json",
  markdown: "markdown",
  python: "python",
  hcl: "ini",
};

const tones: Record<string, Tone> = {
  "hljs-attr": "name",
  "hljs-attribute": "name",
  "hljs-built_in": "name",
  "hljs-keyword": "name",
  "hljs-section": "name",
  "hljs-title": "name",
  "hljs-string": "value",
  "hljs-number": "value",
  "hljs-literal": "value",
  "hljs-variable": "value",
  "hljs-code": "value",
  "hljs-comment": "quiet",
  "hljs-meta": "quiet",
};

const escaped: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#x27;": "'",
};

/** A file's text in runs of one tone. Together they are the text, character by character. */
export function highlight(content: string, language: string): Run[] {
  const grammar = grammarOf[language];
  if (!grammar) return [{ text: content, tone: undefined }];
  const html = highlighter.highlight(content, { language: grammar, ignoreIllegals: true }).value;
  const runs: Run[] = [];
  const open: (Tone | undefined)[] = [];
  for (const [part, classes] of html.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (part === "</span>") open.pop();
    else if (classes !== undefined) open.push(tones[classes.split(" ")[0] ?? ""] ?? open.at(-1));
    else add(part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (name) => escaped[name] ?? name));
  }
  return runs;

  function add(text: string) {
    const tone = open.at(-1);
    const last = runs.at(-1);
    if (last && last.tone === tone) last.text += text;
    else runs.push({ text, tone });
  }
}
