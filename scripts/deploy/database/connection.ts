import { readFileSync } from "node:fs";
import { openPostgresClient, type PostgresOptions } from "../../lib/postgres-client.ts";
import { required, type Settings, UsageError } from "../../lib/settings.ts";
import { PlainFailure } from "../../lib/terminal.mjs";
import type { Database } from "./migrations.ts";

const urlVariable = "SUPABASE_DB_URL";
const certificateVariable = "SUPABASE_DB_CA";

/** Codes of TLS errors for a certificate whose issuer this machine does not know. */
const unknownIssuer = new Set([
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

export type Connection = Database & AsyncDisposable;

/**
 * Opens the database that the settings name. A connection to another machine is always encrypted, and its certificate
 * checked. No error that this throws contains the address, which has the password in it.
 */
export async function openDatabase(settings: Settings): Promise<Connection> {
  const options = clientOptions(settings);
  try {
    const client = await openPostgresClient(options);
    return { query: client.query, [Symbol.asyncDispose]: client.end };
  } catch (error) {
    throw new PlainFailure(`The database did not let us in: ${reasonOf(error)}`);
  }
}

function clientOptions(settings: Settings): PostgresOptions {
  const url = URL.parse(required(settings, urlVariable));
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.pathname.length < 2) {
    throw new UsageError(
      `${urlVariable} must look like postgresql://user:password@host:5432/postgres`,
    );
  }
  if (url.searchParams.has("sslmode")) {
    throw new UsageError(
      `Take sslmode out of ${urlVariable}: the connection is always encrypted and checked.`,
    );
  }
  // A pooler may learn from it which project is meant.
  const forPooler = url.searchParams.get("options");
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port || 5432),
    user: decoded(url.username),
    password: decoded(url.password),
    database: decoded(url.pathname.slice(1)),
    connection: {
      application_name: "livekit-deploy migrations",
      ...(forPooler && { options: forPooler }),
    },
    connect_timeout: 15,
    ...(isLocal ? {} : { ssl: certificate(settings) }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new UsageError(
      `A percent sign in ${urlVariable} begins no encoded character. Write each one that belongs to the password as %25.`,
    );
  }
}

/** The authority to trust: a certificate's text or the name of a file; the machine's own otherwise. */
function certificate(settings: Settings): { ca?: string } {
  const given = settings(certificateVariable);
  if (!given) return {};
  if (given.includes("-----BEGIN CERTIFICATE-----")) return { ca: given };
  try {
    return { ca: readFileSync(given, "utf8") };
  } catch {
    throw new UsageError(`${certificateVariable} is neither a certificate nor a file: ${given}`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  if (unknownIssuer.has(code)) {
    return `its certificate is signed by an authority that this machine does not know. Download Supabase's (Project Settings, Database, SSL Configuration) and name the file in ${certificateVariable}.`;
  }
  // Node reports the failures of all addresses that it tried as one error without a message.
  if (error instanceof AggregateError) {
    return error.errors.map((each) => (each instanceof Error ? each.message : "")).join("; ");
  }
  return error.message || code;
}
