import type { Provider } from "~/platform/env/providers";

/** A provider's icon. All are in one SVG file, so that no page has sixteen drawings in its script. */
export function ProviderIcon({ provider }: { provider: Provider }) {
  return (
    <svg
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <use href={`/provider-icons.svg#${provider}`} />
    </svg>
  );
}
