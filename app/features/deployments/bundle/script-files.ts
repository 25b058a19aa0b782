import { scriptTextsBy } from "./script-texts.ts";

const files = import.meta.glob<string>("./scripts/**/*.{sh,py,tf}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/**
 * The scripts, for what makes bundles: the servers Worker, and a browser that makes one itself, whose secrets or
 * typed domain are not sent to us. The site's Worker makes none: 29 kB would be a tenth of its upload.
 */
export const scriptTexts = scriptTextsBy((name) => files[`./scripts/${name}`]);
