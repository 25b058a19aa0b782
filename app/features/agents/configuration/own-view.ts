import type { ModelConfiguration } from "~/content/model-configuration";
import type { ConfigurationProblems } from "./configuration";

/** Answers with what is the visitor's own on /openai-config, and takes the forms that change it. */
export const userViewAddress = "/openai-config/own";

/** One saved version, with who saved it and when. */
export type ConfigurationVersion = {
  configuration: ModelConfiguration;
  version: number;
  savedAt: string;
  /** The address that the person was signed in with. */
  savedBy: string;
  restoredFrom: number | null;
};

/** What the page knows about a token; never the token. */
export type ApiToken = {
  id: string;
  name: string;
  ending: string;
  createdAt: string;
  lastUsedAt: string | null;
  /** What it is for, as the database names it. */
  scopes: string[];
  endsAt: string | null;
  /** The address of the member who made it, where other members have tokens here, too. */
  madeBy: string | undefined;
  mayRevoke: boolean;
};

/** What a customer's page shows besides the statistics. */
export type UserView = {
  configuration: ModelConfiguration;
  /** 0 before anything was saved. */
  version: number;
  /** The newest versions, newest first. */
  versions: ConfigurationVersion[];
  /** Whether older versions are kept. */
  hasOlder: boolean;
  tokens: ApiToken[];
};

/** Versions before the last one that is shown, newest first. */
export type OlderVersions = Pick<UserView, "versions" | "hasOlder">;

/** How a change ended. */
export type UserOutcome =
  | {
      ok: true;
      message: string;
      /** A new token. It is shown this once: we keep only its hash. */
      token?: string;
      /** After a save or a restore: the version that is now in force. */
      version?: number;
    }
  | {
      ok: false;
      status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 503;
      message: string;
      /** The proof that the change needs and the person has not given. */
      missing?: "second-factor" | "recent-sign-in";
      problems?: ConfigurationProblems;
      /** The version that somebody else saved in the meantime. */
      version?: number;
    };
