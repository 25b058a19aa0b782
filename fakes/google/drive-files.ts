import type { AccountData, StoredDocument } from "./account-data.ts";
import { type ApiCall, invalid, pageOf } from "./api.ts";
import { keepFields } from "./partial-response.ts";

const documentType = "application/vnd.google-apps.document";
const usualFields = "kind,incompleteSearch,nextPageToken,files(kind,id,name,mimeType)";
const limits = { page: 1000, usualPage: 100 };

/** Drive v3: files.list over the account's documents. */
export function answerDriveFiles({ query }: ApiCall, data: AccountData): Response {
  const q = query.get("q") ?? "";
  const terms = readTerms(q);
  if (!terms) return invalid("Invalid Value", "invalid");
  if (terms.some((term) => term.name === "fullText") && query.get("orderBy")) {
    return invalid(
      "Sorting is not supported for queries with fullText terms. Results are always in descending relevance order.",
    );
  }
  const size = Number(query.get("pageSize") ?? limits.usualPage);
  if (!Number.isInteger(size) || size < 1 || size > limits.page) {
    return invalid("Invalid value. Values must be within the range: [1, 1000]", "invalidParameter");
  }
  const found = inOrder(
    data.documents.filter((document) => terms.every((term) => matches(document, term))),
    query.get("orderBy") ?? "",
  );
  const page = pageOf(found, size, query.get("pageToken"));
  if (!page) return invalid("Invalid Value", "invalid");
  const { items, ...next } = page;
  const answer = {
    kind: "drive#fileList",
    incompleteSearch: false,
    ...next,
    files: items.map(fileAnswer),
  };
  return Response.json(keepFields(answer, query.get("fields") ?? usualFields));
}

type Term = { name: string; operator: string; value: string };

/** The terms of a search query that are all joined by `and`; undefined for anything else. */
function readTerms(q: string): Term[] | undefined {
  const terms: Term[] = [];
  let rest = q.trim();
  while (rest !== "") {
    const found =
      /^(\w+)\s*(contains|=|!=)\s*(?:'((?:\\.|[^'\\])*)'|(true|false))\s*(and\s+|$)/.exec(rest);
    if (!found) return;
    const [whole, name = "", operator = "", quoted, bare = ""] = found;
    terms.push({ name, operator, value: quoted?.replace(/\\(.)/g, "$1") ?? bare });
    rest = rest.slice(whole.length);
  }
  return terms;
}

function matches(document: StoredDocument, { name, operator, value }: Term): boolean {
  switch (name) {
    case "mimeType":
      return (operator === "!=") !== (value === documentType);
    case "trashed":
      return (operator === "!=") !== (value === "false");
    case "name":
      return operator === "contains"
        ? words(value).every((word) => words(document.title).some((each) => each.startsWith(word)))
        : (operator === "!=") !== (document.title === value);
    case "fullText": {
      const text = words(`${document.title} ${document.text}`);
      const phrase = /^"(.*)"$/.exec(value)?.[1];
      if (phrase === undefined) return words(value).every((word) => text.includes(word));
      return ` ${text.join(" ")} `.includes(` ${words(phrase).join(" ")} `);
    }
    default:
      return false;
  }
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? [];
}

function inOrder(documents: StoredDocument[], orderBy: string): StoredDocument[] {
  const [key, direction] = orderBy.split(" ");
  const sign = direction === "desc" ? -1 : 1;
  if (key === "modifiedTime") {
    return documents.toSorted((one, other) => sign * (one.modified - other.modified));
  }
  if (key === "name") {
    return documents.toSorted((one, other) => sign * (one.title < other.title ? -1 : 1));
  }
  return documents;
}

function fileAnswer(document: StoredDocument) {
  return {
    kind: "drive#file",
    id: document.id,
    name: document.title,
    mimeType: documentType,
    modifiedTime: new Date(document.modified).toISOString(),
    webViewLink: `https://docs.google.com/document/d/${document.id}/edit?usp=drivesdk`,
  };
}
