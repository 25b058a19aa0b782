import { scriptTextsBy } from "./script-texts.ts";

const files = import.meta.glob<string>("./scripts/**/*.{sh,py}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** For a browser that makes a bundle itself: its secrets, or a domain that somebody only tries, are not sent to us. */
export const scriptTexts = scriptTextsBy((name) => files[`./scripts/${name}`]);
