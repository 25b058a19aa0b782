import type { ReactNode } from "react";
import { Link } from "react-router";

/** Says that a form is a demo, what becomes of what is typed, and how to get the real thing. */
export function DemoNote({ children }: { children: ReactNode }) {
  return (
    <p className="text-sm text-ink-soft">
      {children}{" "}
      <Link to="/signup" className="text-ink underline underline-offset-4 hover:text-signal">
        Sign up to make it real
      </Link>
      .
      <span className="scripted:hidden">
        {" "}
        The demo itself needs JavaScript, which is switched off here.
      </span>
    </p>
  );
}
