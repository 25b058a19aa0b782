import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { Link, useLocation } from "react-router";

export type Tab<Id extends string> = {
  id: Id;
  label: string;
  /** The address that shows this tab: it can be shared, and works without script. */
  to: string;
};

/**
 * Tabs after the WAI-ARIA pattern: one tab stop, arrows, Home and End move and choose. Each tab is a
 * link, so that a tab has an address; `children` is the panel of the current one.
 */
export function Tabs<Id extends string>({
  label,
  tabs,
  current,
  children,
}: {
  label: string;
  tabs: readonly Tab<Id>[];
  current: Id;
  children: ReactNode;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // What the history entry knows about how it came to be stays true on another tab.
  const { state } = useLocation();

  function move(event: KeyboardEvent) {
    const at = tabs.findIndex((tab) => tab.id === current);
    const last = tabs.length - 1;
    const targets: Record<string, number> = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    const link = list.current?.querySelectorAll<HTMLAnchorElement>("[role=tab]")[target];
    link?.focus();
    link?.click();
  }

  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={move}
        className="mb-6 flex flex-wrap gap-x-1 border-b border-line"
      >
        {tabs.map((tab) => {
          const selected = tab.id === current;
          return (
            <Link
              key={tab.id}
              id={`${id}-${tab.id}`}
              to={tab.to}
              state={state}
              replace
              preventScrollReset
              role="tab"
              aria-selected={selected}
              aria-controls={selected ? `${id}-panel` : undefined}
              tabIndex={selected ? 0 : -1}
              className={`-mb-px inline-flex min-h-11 items-center border-b-2 px-3 text-sm ${
                selected
                  ? "border-signal text-ink"
                  : "border-transparent text-ink-soft hover:text-ink"
              }`}
            >
              {tab.label}
            </Link>
          );
        })}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </>
  );
}
