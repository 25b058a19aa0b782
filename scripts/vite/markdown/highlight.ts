import { createCssVariablesTheme, createHighlighterCoreSync } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import bash from "shiki/langs/bash.mjs";
import csharp from "shiki/langs/csharp.mjs";
import dart from "shiki/langs/dart.mjs";
import go from "shiki/langs/go.mjs";
import html from "shiki/langs/html.mjs";
import http from "shiki/langs/http.mjs";
import ini from "shiki/langs/ini.mjs";
import json from "shiki/langs/json.mjs";
import kotlin from "shiki/langs/kotlin.mjs";
import php from "shiki/langs/php.mjs";
import python from "shiki/langs/python.mjs";
import ruby from "shiki/langs/ruby.mjs";
import swift from "shiki/langs/swift.mjs";
import typescript from "shiki/langs/typescript.mjs";
import yaml from "shiki/langs/yaml.mjs";
import { escapeMarkup } from "../../../app/http/encodings.ts";

/** The languages that code blocks may name, as a reader sees them. */
export const languageNames = {
  bash: "Shell",
  csharp: "C#",
  dart: "Dart",
  go: "Go",
  html: "HTML",
  http: "HTTP",
  ini: "INI",
  json: "JSON",
  kotlin: "Kotlin",
  php: "PHP",
  python: "Python",
  ruby: "Ruby",
  swift: "Swift",
  text: "Text",
  typescript: "TypeScript",
  yaml: "YAML",
} as const;

export type Language = keyof typeof languageNames;

const highlighter = createHighlighterCoreSync({
  themes: [createCssVariablesTheme()],
  langs: [
    ...[bash, csharp, dart, go, html, http, ini, json, kotlin],
    ...[php, python, ruby, swift, typescript, yaml],
  ],
  engine: createJavaScriptRegexEngine(),
});

/** Three tones are enough; their colours are in prose.css, since our CSP forbids style attributes. */
const tones: Record<string, string> = {
  "var(--shiki-token-keyword)": "tone-name",
  "var(--shiki-token-function)": "tone-name",
  "var(--shiki-token-constant)": "tone-value",
  "var(--shiki-token-string-expression)": "tone-value",
  "var(--shiki-token-comment)": "tone-quiet",
  "var(--shiki-token-punctuation)": "tone-quiet",
};

/** Whether code in the language that a document names can be coloured. */
export function isLanguage(name: string): name is Language {
  return Object.hasOwn(languageNames, name);
}

/** Code as HTML: spans with a tone where there is one, neighbours of one tone in one span. */
export function highlight(code: string, language: Language): string {
  const lines = highlighter.codeToTokensBase(code, {
    lang: language,
    theme: "css-variables",
    // The file name of a text is a hash of its HTML, which is compiled twice. With a time limit, a busy machine could
    // leave a line uncoloured in one of them.
    tokenizeTimeLimit: 0,
  });
  return lines
    .map((line) => {
      const runs: { tone: string | undefined; text: string }[] = [];
      for (const { content, color = "" } of line) {
        const tone = tones[color];
        const last = runs.at(-1);
        if (last && last.tone === tone) last.text += content;
        else runs.push({ tone, text: content });
      }
      return runs
        .map(({ tone, text }) =>
          tone ? `<span class="${tone}">${escapeMarkup(text)}</span>` : escapeMarkup(text),
        )
        .join("");
    })
    .join("\n");
}
