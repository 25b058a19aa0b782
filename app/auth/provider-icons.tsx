import type { ReactNode, SVGProps } from "react";
import { GoogleIcon } from "~/components/icons";
import type { Provider } from "./providers";

type IconProps = SVGProps<SVGSVGElement>;

/** Drawn plainly, in the colour of the text: the name beside it says which provider it is. */
function Drawn({ children, ...rest }: IconProps) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...rest}
    >
      {children}
    </svg>
  );
}

const drawings: Record<Exclude<Provider, "google">, ReactNode> = {
  apple: (
    <>
      <path d="M12 7.5c1-.9 2.3-1.2 3.5-1 1.5.2 2.6 1 3.2 2-2.8 1.7-2.3 5.5.6 6.6-.9 2.6-2.6 5.4-4.5 5.4-1 0-1.6-.6-2.8-.6s-1.9.6-2.8.6C7 20.5 4.5 16 4.5 12.3c0-3.5 2.1-5.8 4.5-5.8 1.2 0 2.1.6 3 1z" />
      <path d="M12 6.5c0-2 1.3-3.6 3.2-4" />
    </>
  ),
  azure: (
    <g stroke="none">
      <path fill="#f25022" d="M3 3h8.5v8.5H3z" />
      <path fill="#7fba00" d="M12.5 3H21v8.5h-8.5z" />
      <path fill="#00a4ef" d="M3 12.5h8.5V21H3z" />
      <path fill="#ffb900" d="M12.5 12.5H21V21h-8.5z" />
    </g>
  ),
  bitbucket: <path d="M3 4h18l-2.7 16H5.7zM9 9h6l-.8 5.5H9.8z" />,
  discord: (
    <>
      <path d="M8 5.5C6.4 5.9 5 6.5 4.5 7 3 10 2.5 13.5 2.8 17c1.4 1.2 3 1.8 4.4 2l1.3-2.2M16 5.5c1.6.4 3 1 3.5 1.5 1.5 3 2 6.5 1.7 10-1.4 1.2-3 1.8-4.4 2l-1.3-2.2M8 5.5l.6 1.3a15 15 0 0 1 6.8 0L16 5.5M7.5 16.5c3 1 6 1 9 0" />
      <path d="M9 11.8v.9M15 11.8v.9" strokeWidth="2.6" />
    </>
  ),
  facebook: (
    <path d="M14 21v-8h3l.5-3.5H14V7.7C14 6.6 14.5 6 15.7 6h1.8V3h-2.7C12 3 10.5 4.7 10.5 7.3v2.2H7.5V13h3v8z" />
  ),
  github: (
    <path d="M9.5 21v-3.3c-3 .7-4-.9-4.5-2.2M14.5 21v-4c0-1-.2-1.5-.7-2 3-.3 5.7-1.5 5.7-6 0-1.4-.5-2.5-1.3-3.4.2-.9.2-2-.2-2.9-1.3 0-2.5.8-3.2 1.3a11 11 0 0 0-5.6 0C8.5 3.5 7.3 2.7 6 2.7c-.4.9-.4 2-.2 2.9C5 6.5 4.5 7.6 4.5 9c0 4.5 2.7 5.7 5.7 6-.5.5-.7 1.2-.7 2" />
  ),
  gitlab: <path d="M12 21L3 13.5 5.8 4l2.9 7h6.6l2.9-7L21 13.5zM12 21l-3.3-10M12 21l3.3-10" />,
  keycloak: <path d="M7.5 4h9l4.5 8-4.5 8h-9L3 12zM11 8.5L9 12l2 3.5M13.5 8.5l2 3.5-2 3.5" />,
  linkedin: (
    <>
      <path d="M4 3.5h16a.5.5 0 0 1 .5.5v16a.5.5 0 0 1-.5.5H4a.5.5 0 0 1-.5-.5V4a.5.5 0 0 1 .5-.5zM7.8 10.5v6M11.5 16.5v-6M11.5 13.5c0-1.8 1-3 2.6-3s2.4 1.1 2.4 2.8v3.2" />
      <path d="M7.8 7.4v.1" strokeWidth="2.6" />
    </>
  ),
  notion: <path d="M4.5 5.5L16 4l3.5 2.5v12.5L8 20.5 4.5 17zM9 16.5v-7l6 6.5v-7.5" />,
  slack: (
    <path d="M9.5 3v11M14.5 10v11M3 14.5h11M10 9.5h11M5 9.5h1.5M17.5 14.5H19M14.5 5v1.5M9.5 17.5V19" />
  ),
  spotify: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M7 9.3c3.5-1 7.2-.6 10.2 1M7.7 12.5c3-.8 5.7-.4 8.2.9M8.3 15.5c2.3-.6 4.4-.3 6.4.7" />
    </>
  ),
  twitch: <path d="M5.5 3L4 6.5V18h4.5v3l3-3H15l5-5V3zM11 7.5V12M15.5 7.5V12" />,
  twitter: <path d="M4 4l16 16M8 4H4l12 16h4zM20 4l-6.6 7.3M10.6 13.2L4.5 20" />,
  workos: <path d="M8 5h8l4 7-4 7H8l-4-7zM8 19l4-7-4-7M12 12h8" />,
};

export function ProviderIcon({ provider }: { provider: Provider }) {
  return provider === "google" ? <GoogleIcon /> : <Drawn>{drawings[provider]}</Drawn>;
}
