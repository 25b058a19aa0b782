import { googleError } from "./api.ts";

const authPrefix = "https://www.googleapis.com/auth/";
const wholeMailbox = "https://mail.google.com/";

type Rule = {
  service: string;
  name: string;
  method: string;
  path: RegExp;
  /** Any one of these scopes suffices. Short names are under `authPrefix`. */
  scopes: readonly string[];
};

const readMail = ["gmail.readonly", "gmail.modify", wholeMailbox];
const readMetadata = ["gmail.metadata", ...readMail];
const sendMail = ["gmail.send", "gmail.compose", "gmail.modify", wholeMailbox];
const writeEvents = [
  "calendar",
  "calendar.events",
  "calendar.events.owned",
  "calendar.app.created",
];
const writeDocuments = ["documents", "drive", "drive.file"];

function rule(
  service: string,
  name: string,
  method: string,
  path: RegExp,
  scopes: readonly string[],
): Rule {
  return { service, name, method, path, scopes };
}

/** Any one of these scopes may search the contents of files. */
const readFiles = ["drive", "drive.file", "drive.readonly"];

/** Methods of Google's APIs and their scopes, as Google's reference lists them. */
const rules: readonly Rule[] = [
  rule(
    "gmail",
    "messages.send",
    "POST",
    /^(\/upload)?\/gmail\/v1\/users\/[^/]+\/messages\/send$/,
    sendMail,
  ),
  rule("gmail", "messages.import", "POST", /^\/gmail\/v1\/users\/[^/]+\/messages\/import$/, [
    "gmail.insert",
    "gmail.modify",
    wholeMailbox,
  ]),
  rule("gmail", "messages.list", "GET", /^\/gmail\/v1\/users\/[^/]+\/messages$/, readMetadata),
  rule(
    "gmail",
    "messages.get",
    "GET",
    /^\/gmail\/v1\/users\/[^/]+\/messages\/[^/]+$/,
    readMetadata,
  ),
  rule("gmail", "threads.list", "GET", /^\/gmail\/v1\/users\/[^/]+\/threads$/, readMetadata),
  rule("gmail", "threads.get", "GET", /^\/gmail\/v1\/users\/[^/]+\/threads\/[^/]+$/, readMetadata),
  rule("gmail", "labels.list", "GET", /^\/gmail\/v1\/users\/[^/]+\/labels$/, [
    "gmail.labels",
    ...readMetadata,
  ]),
  rule("gmail", "users.getProfile", "GET", /^\/gmail\/v1\/users\/[^/]+\/profile$/, [
    ...readMetadata,
    "gmail.compose",
  ]),
  rule(
    "calendar-json",
    "events.insert",
    "POST",
    /^\/calendar\/v3\/calendars\/[^/]+\/events$/,
    writeEvents,
  ),
  rule("calendar-json", "events.list", "GET", /^\/calendar\/v3\/calendars\/[^/]+\/events$/, [
    ...writeEvents,
    "calendar.readonly",
    "calendar.events.readonly",
    "calendar.events.owned.readonly",
  ]),
  rule("calendar-json", "freebusy.query", "POST", /^\/calendar\/v3\/freeBusy$/, [
    "calendar",
    "calendar.readonly",
    "calendar.freebusy",
    "calendar.events.freebusy",
  ]),
  rule("tasks", "tasks.list", "GET", /^\/tasks\/v1\/lists\/[^/]+\/tasks$/, [
    "tasks",
    "tasks.readonly",
  ]),
  rule("tasks", "tasks.get", "GET", /^\/tasks\/v1\/lists\/[^/]+\/tasks\/[^/]+$/, [
    "tasks",
    "tasks.readonly",
  ]),
  rule("tasks", "tasks.insert", "POST", /^\/tasks\/v1\/lists\/[^/]+\/tasks$/, ["tasks"]),
  rule("tasks", "tasks.patch", "PATCH", /^\/tasks\/v1\/lists\/[^/]+\/tasks\/[^/]+$/, ["tasks"]),
  rule("docs", "documents.create", "POST", /^\/v1\/documents$/, writeDocuments),
  rule(
    "docs",
    "documents.batchUpdate",
    "POST",
    /^\/v1\/documents\/[^/:]+:batchUpdate$/,
    writeDocuments,
  ),
  rule("docs", "documents.get", "GET", /^\/v1\/documents\/[^/:]+$/, [
    ...writeDocuments,
    "documents.readonly",
    "drive.readonly",
  ]),
  rule("drive", "files.list", "GET", /^\/drive\/v3\/files$/, [
    ...readFiles,
    "drive.metadata",
    "drive.metadata.readonly",
  ]),
];

const fullName = (scope: string) => (scope.includes(":") ? scope : authPrefix + scope);

/** The API that this request is for; undefined for a method that the fake does not have. */
export function findService(method: string, path: string): string | undefined {
  return rules.find((each) => each.method === method && each.path.test(path))?.service;
}

/** Google's refusal if none of the token's scopes allows this method. */
export function refusalByScope(
  method: string,
  url: URL,
  granted: readonly string[],
): Response | undefined {
  const found = rules.find((each) => each.method === method && each.path.test(url.pathname));
  if (!found) return;
  const usable = found.scopes.map(fullName).filter((scope) => granted.includes(scope));
  if (usable.length === 0) return insufficient(found);
  const terms = url.searchParams.get("q")?.replace(/'(\\.|[^'\\])*'/g, "") ?? "";
  const asksContents = found.service === "drive" && terms.includes("fullText");
  if (asksContents && !readFiles.map(fullName).some((scope) => granted.includes(scope))) {
    return insufficient({ ...found, scopes: readFiles });
  }
  if (found.service !== "gmail" || usable.some((scope) => !scope.endsWith("gmail.metadata")))
    return;
  return refusalOfMetadata(found, url.searchParams);
}

function insufficient({ service, name, scopes }: Rule): Response {
  return googleError({
    status: 403,
    name: "PERMISSION_DENIED",
    reason: "insufficientPermissions",
    message: "Request had insufficient authentication scopes.",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
        domain: "googleapis.com",
        metadata: { service: `${service}.googleapis.com`, method: name },
      },
    ],
    headers: {
      "www-authenticate": `Bearer realm="https://accounts.google.com/", error="insufficient_scope", scope="${scopes.map(fullName).join(" ")}"`,
    },
  });
}

/** Refuses what the metadata scope does not allow: to search, and to read bodies. */
function refusalOfMetadata({ name }: Rule, query: URLSearchParams): Response | undefined {
  const format = query.get("format") ?? "full";
  const message = query.has("q")
    ? "Metadata scope does not support 'q' parameter"
    : name.endsWith(".get") && (format === "full" || format === "raw")
      ? `Metadata scope doesn't allow format ${format.toUpperCase()}`
      : undefined;
  if (!message) return;
  return googleError({ status: 403, name: "PERMISSION_DENIED", reason: "forbidden", message });
}
