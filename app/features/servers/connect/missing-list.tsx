import { CommandBox } from "~/features/deployments/page/command-box";
import type { Missing } from "../layout/layout";

/** What is not known of a server that was connected as it was, with what would give it. */
export function MissingList({ missing }: { missing: readonly Missing[] }) {
  return (
    <ul className="border-t border-line">
      {missing.map(({ title, why, where, lines }) => (
        <li key={title} className="grid gap-3 border-b border-line py-4">
          <h3 className="text-base font-strong tracking-normal">{title}</h3>
          <p className="max-w-prose text-sm">{why}</p>
          {where ? (
            <p className="text-sm wrap-anywhere">
              <span>In </span>
              <code className="font-mono">{where}</code>
              <span>:</span>
            </p>
          ) : null}
          <CommandBox text={lines} label={`what gives it: ${title}`} />
        </li>
      ))}
    </ul>
  );
}
