import { Breakable } from "~/features/deployments/page/breakable";

/** What to do about what is wrong: a sentence with commands in it, which breaks at no place that changes a command. */
export function NextStep({ text }: { text: string }) {
  return (
    <p className="mt-2 max-w-prose text-sm">
      <span className="text-ink-soft">What to do: </span>
      <span className="font-mono wrap-anywhere">
        <Breakable text={text} />
      </span>
    </p>
  );
}
