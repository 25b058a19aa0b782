import { connectScript, type connectSources } from "./connect-script";

const files = import.meta.glob<string>("./livekit-connect.{sh,py}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The script as machines get it. Only the servers Worker has it: the site asks that. */
export const connectText = connectScript((name: (typeof connectSources)[number]) => {
  const text = files[`./${name}`];
  if (text === undefined) throw new Error(`There is no ${name}.`);
  return text;
});
