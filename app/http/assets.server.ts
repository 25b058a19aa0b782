import type { AppContext } from "./app-context";

/**
 * Reads a file of the client's build by the path that the build gave it. Throws when the file is not where the build
 * put it. The binding ignores the host; Vite, which answers in development, refuses hosts other than localhost's.
 */
export async function fetchAsset(
  path: string,
  { bindings }: Pick<AppContext, "bindings">,
): Promise<Response> {
  const response = await bindings.ASSETS.fetch(new URL(path, "https://assets.localhost"));
  if (!response.ok) throw new Error(`The asset ${path} answered ${response.status}`);
  return response;
}
