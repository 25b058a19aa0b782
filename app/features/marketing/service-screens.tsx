import type { PicturedScreenName } from "./pictures/pictured-screens";
import { ScreenPicture } from "./pictures/screen-picture";

const screens = [
  {
    name: "review",
    title: "The answers, before anything boots",
    says: "The wizard's last step shows every choice with a link that changes it, and the files that they make.",
  },
  {
    name: "server",
    title: "The server, after it booted",
    says: "A connected server reports each minute. Its page in the console has the figures, and what its doctor found.",
  },
] as const satisfies readonly { name: PicturedScreenName; title: string; says: string }[];

/** The console's two screens that the services lead to: the choices together, and the server they made. */
export function ServiceScreens() {
  return (
    <section aria-labelledby="screens" className="py-14 sm:py-20">
      <h2 id="screens" className="text-2xl">
        Where the choices lead
      </h2>
      <ul className="mt-10 grid gap-x-10 gap-y-14 md:grid-cols-2">
        {screens.map(({ name, title, says }) => (
          <li key={name}>
            <ScreenPicture name={name} />
            <h3 className="mt-6 text-lg">{title}</h3>
            <p className="mt-2 max-w-prose text-ink-soft">{says}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
