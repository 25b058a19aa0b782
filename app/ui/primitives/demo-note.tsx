import type { ReactNode } from "react";
import { TextLink } from "./text-link";

/** Says that a form is a demo, what becomes of what is typed, and how to get the real thing. */
export function DemoNote({ children }: { children: ReactNode }) {
  return (
    <p className="text-sm text-ink-soft">
      {children}{" "}
      <TextLink to="/signup" className="text-ink">
        Sign up to make it real
      </TextLink>
      .
      <span className="scripted:hidden">
        {" "}
        The demo itself needs JavaScript, which is switched off here.
      </span>
    </p>
  );
}
