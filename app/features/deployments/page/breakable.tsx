/** A name, address or command that wraps at its spaces and after its punctuation, so that no word is cut. */
export function Breakable({ text }: { text: string }) {
  const pieces = text.split(/(?<=[./@:=]|\w-)(?=\w)/);
  return (
    // Another text is another element: its pieces are bare, and a translated page has them elsewhere.
    <span key={text}>
      {pieces.flatMap((piece, at) =>
        at > 0 ? [<wbr key={pieces.slice(at).join("")} />, piece] : [piece],
      )}
    </span>
  );
}
