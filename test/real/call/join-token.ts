import { createHmac } from "node:crypto";
import { callKey, callSecret } from "../../support/deployments/call-server.ts";

type Join = {
  identity: string;
  room: string;
  /** For how long it is good from now on. */
  seconds?: number;
  /** In how many seconds its time begins. */
  beginsIn?: number;
  key?: string;
  secret?: string;
  /** What else it grants. */
  grants?: Readonly<Record<string, unknown>>;
};

/** A token of a customer's back end, with which somebody joins a room. */
export function joinToken(join: Join): string {
  const { identity, room, seconds = 600, beginsIn = -60, grants = {} } = join;
  const { key = callKey, secret = callSecret } = join;
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    ...{ iss: key, sub: identity, nbf: now + beginsIn, exp: now + seconds },
    video: { roomJoin: true, room, ...grants },
  };
  const text = [{ alg: "HS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
