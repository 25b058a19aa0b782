import { siteUnreachable } from "~/http/unreachable.client";
import { saveFile } from "../download/save-file";

/**
 * Fetches a zip and hands it to the person. Answers what to say where none arrived. Nothing is asked for a second time:
 * the first may have made a token. Where the session has ended, the server's redirect is followed.
 */
export async function fetchZip(
  address: string,
  request: RequestInit,
  name: string,
): Promise<string | undefined> {
  try {
    const response = await fetch(address, request);
    const type = response.headers.get("content-type") ?? "";
    if (type === "application/zip") {
      saveFile(await response.blob(), name);
      return;
    }
    if (response.redirected) {
      location.assign(response.url);
      return;
    }
    return type.startsWith("text/plain") ? await response.text() : notSent;
  } catch {
    return siteUnreachable;
  }
}

const notSent = "The files were not sent. Please load the page again, then try again.";
