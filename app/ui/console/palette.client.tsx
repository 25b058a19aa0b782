import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { paletteWords as words } from "~/content/console";
import { IconButton } from "~/ui/primitives/button";
import { CloseIcon } from "~/ui/primitives/icons";
import { type Item, useItems } from "./palette-items.client";

/** A modal dialog with a field and what has its words: arrows choose, Enter goes there, Escape closes. */
export default function Palette({ base, onClose }: { base: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const id = useId();
  const [query, setQuery] = useState("");
  const [active, setActive] = useState(0);
  const { items, isUnread, isSearching } = useItems(base, query);
  const chosen = Math.min(active, items.length - 1);

  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [id, chosen]);

  function choose({ action }: Item) {
    dialog.current?.close();
    if ("to" in action) void navigate(action.to);
    else action.run();
  }

  function onKeyDown(event: KeyboardEvent) {
    const item = items[chosen];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && item) setActive((chosen + step + items.length) % items.length);
    else if (event.key === "Enter" && item && !event.nativeEvent.isComposing) choose(item);
    else return;
    event.preventDefault();
  }

  const groups = Map.groupBy(
    items.map((item, place) => ({ item, place })),
    ({ item }) => item.group,
  );
  return (
    <dialog
      ref={dialog}
      aria-label={words.label}
      closedby="any"
      onClose={onClose}
      className="dialog mt-4 flex-col overflow-hidden open:flex sm:mt-[10dvh] sm:max-h-[70dvh] sm:w-[min(36rem,calc(100vw-2rem))]"
    >
      <div className="flex items-center gap-2 border-b border-line p-2">
        <input
          type="text"
          role="combobox"
          aria-label={words.label}
          aria-autocomplete="list"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={items[chosen] ? `${id}-${chosen}` : undefined}
          placeholder={words.open}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          className="min-h-11 w-full min-w-0 rounded-md px-3 text-base placeholder:text-ink-soft focus-visible:-outline-offset-2"
        />
        <IconButton aria-label="Close" onClick={() => dialog.current?.close()}>
          <CloseIcon />
        </IconButton>
      </div>
      <div className="overflow-y-auto overscroll-contain p-2">
        <div id={id} role="listbox" aria-label={words.label} tabIndex={-1}>
          {[...groups].map(([group, members]) => (
            <fieldset key={group} aria-label={group} className="min-w-0">
              <p aria-hidden="true" className="px-3 pt-2 pb-1 text-sm text-ink-soft">
                {group}
              </p>
              {members.map(({ item, place }) => (
                <button
                  key={place}
                  id={`${id}-${place}`}
                  type="button"
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === chosen}
                  onClick={() => choose(item)}
                  onPointerMove={() => setActive(place)}
                  className="flex min-h-11 w-full flex-wrap items-center gap-x-3 rounded-md px-3 py-1.5 text-left wrap-anywhere aria-selected:bg-signal-well aria-selected:font-strong"
                >
                  <span>{item.label}</span>
                  {item.detail ? (
                    <span className="text-sm font-normal text-ink-soft">{item.detail}</span>
                  ) : null}
                </button>
              ))}
            </fieldset>
          ))}
        </div>
        <p role="status" className="px-3 text-sm text-ink-soft not-empty:py-2">
          {items.length === 0 && !isSearching ? words.none : isUnread ? words.unread : ""}
        </p>
      </div>
    </dialog>
  );
}
