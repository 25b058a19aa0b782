/** A sentence in which what a machine reads stands between backticks. */
export function CodedText({ text }: { text: string }) {
  const pieces = text.split("`");
  return pieces.map((piece, at) => {
    const key = pieces.slice(at).join("`");
    return at % 2 === 1 ? (
      <code key={key} className="font-mono text-ink">
        {piece}
      </code>
    ) : (
      <span key={key}>{piece}</span>
    );
  });
}
