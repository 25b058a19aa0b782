import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { Form } from "react-router";
import { IconButton } from "./button";
import { CloseIcon } from "./icons";

/**
 * A modal dialog that is open for as long as it is rendered. Escape, a press outside and the close
 * button ask to close it; focus goes back to where it was. Without script it stands open in the
 * page, and its close button goes to `closeTo`; with script it does so when there is no `onClose`.
 */
export function Dialog({
  title,
  closeTo,
  onClose,
  children,
  className = "",
}: {
  title: string;
  closeTo: string;
  onClose?: (() => void) | undefined;
  children: ReactNode;
  className?: string;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const titleId = useId();
  const askToClose = useEffectEvent(() => closeButton.current?.click());

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const listening = new AbortController();
    element.addEventListener(
      "cancel",
      (event) => {
        event.preventDefault();
        askToClose();
      },
      listening,
    );
    // A whole press, not its start: the end of it would take focus away again. Marking text from
    // inside to outside is no press outside.
    let pressBeganOutside = false;
    element.addEventListener(
      "pointerdown",
      (event) => {
        pressBeganOutside = event.target === element;
      },
      listening,
    );
    element.addEventListener(
      "click",
      (event) => {
        if (pressBeganOutside && event.target === element) askToClose();
      },
      listening,
    );
    element.removeAttribute("open");
    element.showModal();
    return () => {
      listening.abort();
      element.close();
    };
  }, []);

  return (
    <dialog ref={dialog} open aria-labelledby={titleId} className={`dialog ${className}`}>
      <div className="relative p-6 sm:p-8">
        <h2 id={titleId} className="mr-12 mb-6 text-xl">
          {title}
        </h2>
        {children}
        {/* Last in order, so that focus starts at what the dialog is for. */}
        <Form method="get" action={closeTo} className="absolute top-4 right-4">
          <IconButton
            ref={closeButton}
            type="submit"
            aria-label="Close"
            onClick={(event) => {
              if (!onClose) return;
              event.preventDefault();
              onClose();
            }}
          >
            <CloseIcon />
          </IconButton>
        </Form>
      </div>
    </dialog>
  );
}
