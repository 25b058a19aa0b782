/** A name, address or command that wraps at its spaces and after its punctuation, so that no word is cut. */
export function Breakable({ text }: { text: string }) {
  const pieces = text.split(/(?<=[./@:=]|\w-)(?=\w)/);
  return (
    // Another text is another element: its pieces are bare, and a translated page has them elsewhere.
    <span key={text}>
      {pieces.flatMap((piece, at) =>
        at > 0
          ? [<wbr key={pieces.slice(at).join("")} />, ...withWholeOptions(piece)]
          : withWholeOptions(piece),
      )}
    </span>
  );
}

/** Browsers wrap between the two hyphens of an option such as --gone. */
function withWholeOptions(piece: string) {
  const parts = piece.split(/(?<=^|\s)(--[\w-]+)/);
  return parts.map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={parts.slice(at).join("")} className="whitespace-nowrap">
        {part}
      </span>
    ),
  );
}
