import { Breakable } from "~/features/deployments/page/breakable";

/**
 * What to do about what is wrong: a sentence with commands and records between backticks. It breaks at no place that changes a
 * command.
 */
export function NextStep({ text }: { text: string }) {
  const pieces = text.split("`");
  return (
    <p className="mt-2 max-w-prose text-sm wrap-anywhere">
      <span className="text-ink-soft">What to do: </span>
      {pieces.map((piece, at) =>
        at % 2 === 1 ? (
          <code key={pieces.slice(at).join("`")} className="font-mono">
            <Breakable text={piece} />
          </code>
        ) : (
          <Breakable key={pieces.slice(at).join("`")} text={piece} />
        ),
      )}
    </p>
  );
}
