import * as z from "zod/mini";
import type { Google } from "./google-api.server";
import { googleLink } from "./google-link";
import { type Operation, type OperationResult, success, type ToolOperations } from "./operation";
import { notCreated, refused, wrongFields } from "./refusals.server";

/** A document as the lists show it. */
export type DocumentView = {
  id: string;
  title: string;
  /** RFC 3339; "" when Google does not say. */
  modified: string;
  href: string;
};

/** Documents of a list or a search; `next` asks for the ones after them. */
export type DocumentPage = { documents: readonly DocumentView[]; next?: string };

// Source: Google's reference of files.list: at most 1000 a page, 100 where nothing is said.
const limits = { title: 1024, content: 500_000, results: 1000, page: 100 };
const defaultResults = 50;
const onlyDocuments = "mimeType = 'application/vnd.google-apps.document' and trashed = false";

const create: Operation = async (form, google) => {
  const title = (form.get("title") ?? "").trim();
  const text = plainText(form.get("body"));
  const wrong: Record<string, string> = {};
  if (!title) wrong.title = "Type a title.";
  if (title.length > limits.title) wrong.title = "The title can have 1024 characters at most.";
  if (text.length > limits.content) wrong.body = tooLong;
  if (Object.keys(wrong).length > 0) return wrongFields(wrong);
  const made = await google.call({
    method: "POST",
    path: "/v1/documents",
    // This call of Google's takes only a title; the text is inserted by the next call.
    body: { title },
    answer: z.object({ documentId: z.string() }),
  });
  if (!made.ok) return notCreated(made);
  const { documentId } = made.body;
  if (text) {
    const written = await update(google, documentId, [insertion(text)]);
    if (!written.ok) {
      const words = `The document was created, but its text was not written. ${written.message} Its id for Update is ${documentId}.`;
      return refused(written, words);
    }
  }
  return openable(documentId, google);
};

const list: Operation = async (form, google) => {
  const count = Number(form.get("maxResults") || defaultResults);
  if (!Number.isInteger(count) || count < 1 || count > limits.results) {
    return wrongFields({ maxResults: "Ask for 1 to 1000 documents." });
  }
  return findDocuments(google, count, form.get("pageToken"), onlyDocuments);
};

/** Searches titles only: the scope for metadata does not let us read documents. */
const search: Operation = async (form, google) => {
  const words = (form.get("query") ?? "").trim();
  if (!words) return wrongFields({ query: "Type what to look for." });
  if (words.length > limits.title) {
    return wrongFields({ query: "The query can have 1024 characters at most." });
  }
  const escaped = words.replace(/[\\']/g, "\\$&");
  const q = `${onlyDocuments} and name contains '${escaped}'`;
  return findDocuments(google, defaultResults, form.get("pageToken"), q);
};

const found = z.object({
  nextPageToken: z.optional(z.string()),
  files: z.optional(
    z.array(
      z.object({
        id: z.string(),
        name: z.optional(z.string()),
        modifiedTime: z.optional(z.string()),
        webViewLink: z.optional(z.string()),
      }),
    ),
  ),
});

async function findDocuments(
  google: Google,
  count: number,
  firstPage: string | null,
  q: string,
): Promise<OperationResult> {
  const documents: DocumentView[] = [];
  let pageToken = firstPage || undefined;
  do {
    const answer = await google.call({
      method: "GET",
      path: "/drive/v3/files",
      query: {
        q,
        orderBy: "modifiedTime desc",
        pageSize: Math.min(count - documents.length, limits.page),
        fields: "nextPageToken,files(id,name,modifiedTime,webViewLink)",
        pageToken,
      },
      answer: found,
    });
    if (!answer.ok) return refused(answer);
    for (const { id, name = "", modifiedTime = "" } of answer.body.files ?? []) {
      documents.push({ id, title: name, modified: modifiedTime, href: documentLink(id, google) });
    }
    pageToken = answer.body.nextPageToken;
  } while (pageToken && documents.length < count);
  const result: DocumentPage = { documents, ...(pageToken && { next: pageToken }) };
  return { ok: true, message: success, result };
}

const readDocument = z.object({
  revisionId: z.optional(z.string()),
  body: z.object({ content: z.array(z.object({ endIndex: z.optional(z.number()) })) }),
});

/** Reads the length of the document, then replaces all of it, unless it was changed in between. */
const replace: Operation = async (form, google) => {
  const id = documentId(form.get("documentId") ?? "");
  const text = plainText(form.get("content"));
  const wrong: Record<string, string> = {};
  if (!id) wrong.documentId = "Paste the document's id or its address.";
  if (!text) wrong.content = "Type the text that the document is to have.";
  if (text.length > limits.content) wrong.content = tooLong;
  if (!id || Object.keys(wrong).length > 0) return wrongFields(wrong);
  const read = await google.call({
    method: "GET",
    path: `/v1/documents/${id}`,
    query: { fields: "revisionId,body(content(endIndex))" },
    answer: readDocument,
  });
  if (!read.ok) return refused(read, wordsFor(read.kind));
  const { revisionId, body } = read.body;
  // The newline that ends a document cannot be deleted, and an empty range is refused.
  const lastIndex = (body.content.at(-1)?.endIndex ?? 1) - 1;
  const deletion = { deleteContentRange: { range: { startIndex: 1, endIndex: lastIndex } } };
  const requests = [...(lastIndex > 1 ? [deletion] : []), insertion(text)];
  const written = await update(google, id, requests, revisionId);
  return written.ok ? openable(id, google) : refused(written, wordsForWriting(written.kind));
};

function update(google: Google, id: string, requests: readonly object[], revision?: string) {
  return google.call({
    method: "POST",
    path: `/v1/documents/${id}:batchUpdate`,
    body: { requests, ...(revision && { writeControl: { requiredRevisionId: revision } }) },
    answer: z.object({ documentId: z.string() }),
  });
}

const insertion = (text: string) => ({ insertText: { location: { index: 1 }, text } });

function wordsFor(kind: string): string | undefined {
  if (kind === "not-found") return "Google has no document with this id that you may open.";
  if (kind === "forbidden") return "Your Google account may not change this document.";
  return undefined;
}

function wordsForWriting(kind: string): string | undefined {
  return kind === "request"
    ? "The text was not replaced: somebody may have changed the document at the same moment. Look at it, then try again."
    : wordsFor(kind);
}

/** The id in an address of Google Docs, or the id itself; undefined for anything else. */
function documentId(value: string): string | undefined {
  const inAddress = /\/d\/([\w-]+)/.exec(value)?.[1];
  return inAddress ?? /^[\w-]+$/.exec(value.trim())?.[0];
}

const tooLong = "The text can have 500,000 characters at most.";

function plainText(value: string | null): string {
  return (value ?? "").replace(/\r\n?/g, "\n").trimEnd();
}

function documentLink(id: string, { email }: Google): string {
  const address = `https://docs.google.com/document/d/${encodeURIComponent(id)}/edit`;
  return googleLink(address, email, "")?.href ?? address;
}

function openable(id: string, google: Google): OperationResult {
  const link = { href: documentLink(id, google), words: "Open the document in Google Docs" };
  return { ok: true, message: success, link };
}

/** The operations of the tabs of Document Management. */
export const docsOperations: ToolOperations = { create, list, search, update: replace };
