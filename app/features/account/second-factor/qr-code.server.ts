/**
 * The address that an authenticator app reads, as a picture for an `img`. The auth server sends one as
 * well, of up to a megabyte.
 */
export async function qrPicture(uri: string): Promise<string> {
  const { renderSVG } = await import("uqr");
  const svg = renderSVG(uri, { border: 4, pixelSize: 1 });
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
