import { isTrafficProvider } from "~/content/sizing";
import { planFigures } from "./plan-figures";

const started = new WeakSet<HTMLFormElement>();

/** Works the form of `sizing-calculator.tsx`: takes what the address has, and keeps there what is typed. */
export function startCalculator(form: HTMLFormElement): void {
  if (started.has(form)) return;
  started.add(form);
  const calculate = () => {
    const typed = new FormData(form);
    const amount = (name: string) => Number(typed.get(name));
    const provider = typed.get("provider");
    const figures: Readonly<Record<string, string>> =
      form.checkValidity() && isTrafficProvider(provider)
        ? planFigures(
            {
              people: amount("people"),
              cameras: amount("cameras"),
              seen: amount("seen"),
              unmuted: amount("unmuted"),
              kbps: amount("kbps"),
              rooms: amount("rooms"),
              hours: amount("hours"),
            },
            provider,
          )
        : {};
    for (const place of form.querySelectorAll<HTMLElement>("[data-figure]")) {
      place.textContent = figures[place.dataset.figure ?? ""] ?? "–";
    }
  };
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(name);
    if (
      field instanceof HTMLInputElement ||
      (field instanceof HTMLSelectElement && isTrafficProvider(value))
    ) {
      field.value = value;
    }
  }
  form.addEventListener("input", calculate);
  // Not with each letter: browsers allow about a hundred changes of the address in ten seconds.
  form.addEventListener("change", () => {
    const typed = [...new FormData(form)].map(([name, value]) => `${name}=${value}`);
    history.replaceState(history.state, "", `?${typed.join("&")}${location.hash}`);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  calculate();
}
