import type { Told } from "../incidents/say";
import type { Message } from "./channel";

/** What a message says of one incident; `changes`: how many a sum stands for. */
export type Item = {
  incident: string;
  event: Told["event"];
  changes?: number;
  /** The server was down when it happened. */
  isDown?: true;
};

/** A message for one channel that is to be sent, or to be tried again. Times in milliseconds since 1970. */
export type Delivery = {
  /** Of the message, and the same at every try of it. */
  id: string;
  channel: string;
  /** `told`: what happened to the incidents of its items. */
  kind: "told" | "digest" | "test" | "channel-failed";
  /** None in a test, nor where another channel failed. */
  items: readonly Item[];
  failed?: Message["failed"];
  due: number;
  /** Since when it has been due for the first time: after 24 hours it is given up. */
  from: number;
  tries: number;
  tried?: Tried;
};

/**
 * Of the message as it was tried last: its id and time, and the SHA-256 of what it says. The whole one of hundreds of
 * servers would be larger than a row may be.
 */
export type Tried = Pick<Message, "id" | "at"> & { saying: string };
