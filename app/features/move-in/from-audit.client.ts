// The audit's link to moving in takes along what its files say. That stays in the tab, and has no secret.
import type { GivenFile } from "../audit/files/audited-file";

document.addEventListener("audit-move-in", async (event) => {
  const link = event.target;
  if (!(event instanceof CustomEvent) || !(link instanceof HTMLAnchorElement)) return;
  const files: readonly GivenFile[] = event.detail;
  try {
    const [{ moveIn }, { remember }] = await Promise.all([
      import("./move-in.client"),
      import("./memory.client"),
    ]);
    remember(moveIn(files));
  } catch {
    // Then they are chosen there once more.
  }
  location.assign(link.href);
});
