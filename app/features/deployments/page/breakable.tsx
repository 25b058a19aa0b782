import { Fragment } from "react";

/** A name, address or command that wraps at its spaces and after its punctuation, so that no word is cut. */
export function Breakable({ text }: { text: string }) {
  const pieces = text.split(/(?<=[./@:=]|\w-)(?=\w)/);
  return pieces.map((piece, at) => (
    <Fragment key={pieces.slice(at).join("")}>
      {at > 0 ? <wbr /> : null}
      {piece}
    </Fragment>
  ));
}
