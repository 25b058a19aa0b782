import { dayOf } from "~/ui/dates";
import { TextLink } from "~/ui/primitives/text-link";

/** The newest versions of a deployment, and when it was last saved. `here` is the address of its page. */
export function NewestVersions({
  versions,
  current,
  savedAt,
  here,
}: {
  versions: readonly { version: number; savedAt: string }[];
  current: number;
  savedAt: string;
  here: string;
}) {
  return (
    <>
      <ol className="border-t border-line">
        {versions.map((each) => (
          <li
            key={each.version}
            className="flex flex-wrap items-center gap-x-6 border-b border-line py-3 text-sm"
          >
            <span className="w-10 font-mono tabular-nums">v{each.version}</span>
            <time dateTime={each.savedAt} className="text-ink-soft">
              {dayOf(each.savedAt)}
            </time>
            {each.version === current ? <span className="text-signal">current</span> : null}
          </li>
        ))}
      </ol>
      <TextLink to={`${here}/versions`} variant="standalone" className="mt-3">
        See what changed
      </TextLink>
      <p className="text-sm text-ink-soft">
        Last saved on <time dateTime={savedAt}>{dayOf(savedAt)}</time>.
      </p>
    </>
  );
}
