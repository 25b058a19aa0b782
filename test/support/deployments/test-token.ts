import { createHmac } from "node:crypto";
import { testRoomName } from "../../../app/features/deployments/test-room/room-name.ts";

/** The token of a connection test, good for ten minutes, as a customer's back end makes it. */
export function testToken(key: string, secret: string): string {
  const seconds = Math.floor(Date.now() / 1_000);
  const grant = { canPublish: false, canSubscribe: false, canPublishData: false, hidden: true };
  const claims = {
    ...{ iss: key, sub: "connection-test", exp: seconds + 600 },
    video: { roomJoin: true, room: testRoomName(), ...grant },
  };
  const body = [{ alg: "HS256", typ: "JWT" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}
