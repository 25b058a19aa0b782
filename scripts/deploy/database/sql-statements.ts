/** One statement of a migration: for rules to read, without what cannot be judged by reading. */
export type Statement = {
  /** Lower case, single spaces; comments are gone, and quoted text and function bodies are empty. */
  words: string;
  /** The line it begins in, from 1. */
  line: number;
  /** The comments in front of it, one string each. */
  comments: string[];
};

const tokens =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|(\$\w*\$)[\s\S]*?\1|"(?:[^"]|"")*"|;|\s+|[^\s;'"$/-]+|[\s\S]/g;

/** Cuts a migration into its statements. */
export function readStatements(sql: string): Statement[] {
  const statements: Statement[] = [];
  let comments: string[] = [];
  let words = "";
  let line = 1;
  let begins = 1;
  const finish = () => {
    const text = words.replace(/\s+/g, " ").trim();
    if (text) statements.push({ words: text.toLowerCase(), line: begins, comments });
    words = "";
    comments = [];
  };
  for (const [token] of sql.matchAll(tokens)) {
    if (token.startsWith("--") && !words) comments.push(token.slice(2).trim());
    else if (token === ";") finish();
    else if (!/^(--|\/\*|\s)/.test(token)) {
      if (!words) begins = line;
      words += readable(token);
    } else if (words) words += " ";
    line += token.split("\n").length - 1;
  }
  finish();
  return statements;
}

function readable(token: string): string {
  if (token.startsWith("'")) return "''";
  if (/^\$\w*\$/.test(token) && token.length > 1) return "$$";
  // Two quoted names may become the same word. They then count as one existing object, which makes the check
  // stricter.
  return token.startsWith('"') ? token.slice(1, -1).replace(/\W/g, "_") : token;
}
