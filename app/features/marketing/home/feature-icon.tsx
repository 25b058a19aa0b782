import type { ReactNode } from "react";

const drawings: Readonly<Record<string, ReactNode>> = {
  clouds: (
    <>
      <path d="M11 29h18a7 7 0 0 0 1-13.9A10 10 0 0 0 11.3 14.5 7.3 7.3 0 0 0 11 29z" />
      <path d="M14 36v3M20 36v5M26 36v3" />
      <circle cx="20" cy="22" r="2.5" fill="var(--signal)" stroke="none" />
    </>
  ),
  certificate: (
    <>
      <rect x="9" y="18" width="22" height="17" rx="2" />
      <path d="M14 18v-4a6 6 0 0 1 12 0v4" />
      <circle cx="20" cy="25.5" r="2.5" fill="var(--signal)" stroke="none" />
      <path d="M20 28v3" />
    </>
  ),
  containers: (
    <>
      <path d="M6 27h28v8H6zM10 17h20v8H10zM14 7h12v8H14z" />
      <circle cx="20" cy="11" r="2.5" fill="var(--signal)" stroke="none" />
      <path d="M12 31h2M18 31h2M24 31h2M16 21h2M22 21h2" />
    </>
  ),
  firewall: (
    <>
      <path d="M20 5l13 5v9c0 8-5.5 13-13 16-7.5-3-13-8-13-16v-9z" />
      <path d="M7 20h9M24 20h9" />
      <circle cx="20" cy="20" r="2.5" fill="var(--signal)" stroke="none" />
    </>
  ),
  flows: (
    <>
      <circle cx="20" cy="20" r="6.5" />
      <circle cx="20" cy="20" r="2.5" fill="var(--signal)" stroke="none" />
      <path d="M3 13h6l4 3M3 27h6l4-3M27 20h10M33 16l4 4-4 4" />
    </>
  ),
  updates: (
    <>
      <path d="M33 17A13.5 13.5 0 0 0 8.5 13M7 23a13.5 13.5 0 0 0 24.5 4" />
      <path d="M8 6v7h7M32 34v-7h-7" />
      <circle cx="20" cy="20" r="2.5" fill="var(--signal)" stroke="none" />
    </>
  ),
};

/** A line drawing of a feature; the dot marks what is live. */
export function FeatureIcon({ name }: { name: string }) {
  return (
    <svg
      viewBox="0 0 40 42"
      width="44"
      height="46"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {drawings[name]}
    </svg>
  );
}
