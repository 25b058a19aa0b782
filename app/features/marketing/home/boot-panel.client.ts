// The form of the home page's files: what makes them is large, and loaded when somebody asks for theirs.

document.addEventListener("submit", async (event) => {
  const { target: form } = event;
  if (!(form instanceof HTMLFormElement && form.matches("[data-makes-files]"))) return;
  event.preventDefault();
  const typed = String(new FormData(form).get("domain"));
  const part = (name: string) => form.parentElement?.querySelector<HTMLElement>(name);
  const [failed, userFiles, example] = [
    "[role=alert]",
    "[data-own-files]",
    "[data-example-files]",
  ].map(part);
  if (!failed || !userFiles || !example) return;
  const loaded = await import("~/features/deployments/files/show-domain-files.client").catch(
    () => undefined,
  );
  failed.hidden = !!loaded;
  example.hidden = true;
  userFiles.hidden = !loaded;
  loaded?.showDomainFiles(typed, userFiles);
});
