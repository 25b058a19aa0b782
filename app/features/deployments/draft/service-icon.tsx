import type { ReactNode } from "react";
import type { Service } from "~/content/services";
import { LineDrawing } from "~/ui/primitives/line-drawing";

const drawings: Record<Service["kind"], ReactNode> = {
  // Drawn: one script that leads to three clouds.
  deployment: (
    <>
      <rect x="12" y="3.5" width="8" height="7" rx="1.5" />
      <path d="M16 10.5V17M6 21.5V17h20v4.5M16 17v4.5" />
      <circle cx="6" cy="25" r="3.5" />
      <circle cx="16" cy="25" r="3.5" />
      <circle cx="26" cy="25" r="3.5" />
    </>
  ),
  // A certificate with its seal.
  security: (
    <>
      <path d="M14 25H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2h20a2 2 0 0 1 2 2v7" />
      <path d="M9 11h14M9 16h6" />
      <circle cx="22" cy="20" r="4" />
      <path d="M19.5 23.2V29l2.5-1.5 2.5 1.5v-5.8" />
    </>
  ),
  // A rack whose ports are lit.
  server: (
    <>
      <rect x="4" y="5" width="24" height="9.5" rx="2" />
      <rect x="4" y="17.5" width="24" height="9.5" rx="2" />
      <path d="M9 8.5v2.5M13 8.5v2.5M9 21v2.5M13 21v2.5M19.5 9.75h4M19.5 22.25h4" />
    </>
  ),
  // A wall with one gate.
  "security-advanced": (
    <>
      <path d="M16 3.5l11 4v8c0 6.5-4.4 10.9-11 13-6.6-2.1-11-6.5-11-13v-8z" />
      <path d="M16 13v6.5M12 16.2h8" />
    </>
  ),
  // Streams in, recordings out.
  features: (
    <>
      <circle cx="16" cy="16" r="5" />
      <path d="M3.5 10H11M8 6.5l3.5 3.5L8 13.5" />
      <path d="M20.5 22h8M25 18.5l3.5 3.5-3.5 3.5" />
    </>
  ),
  // Time goes round, and back.
  management: (
    <>
      <path d="M5.5 13A11 11 0 1 1 5 17.5" />
      <path d="M4.5 6.5L5.5 13l6.5-1" />
      <path d="M16 10v6.5l4.5 2.5" />
    </>
  ),
};

/** What each service does. */
export function ServiceIcon({ kind }: { kind: Service["kind"] }) {
  return <LineDrawing>{drawings[kind]}</LineDrawing>;
}
