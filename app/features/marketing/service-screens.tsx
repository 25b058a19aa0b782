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
  {
    name: "call",
    title: "One person's call, afterwards",
    says: "Sessions has who was in which room, when and why they left, for 90 days. Each call has a page that begins with why it failed. Live rooms shows who is in a call now, a connection test runs by link in somebody else's network, and every five minutes the console asks the server from outside.",
  },
] as const satisfies readonly { name: PicturedScreenName; title: string; says: string }[];

/** The console's screens that the services lead to: the choices together, the server they made, and a call on it. */
export function ServiceScreens() {
  return (
    <section aria-labelledby="screens" className="py-14 sm:py-20">
      <h2 id="screens" className="text-2xl">
        Where the choices lead
      </h2>
      <ul className="mt-10 grid gap-x-10 gap-y-14 md:grid-cols-2">
        {screens.map(({ name, title, says }) => (
          <li
            key={name}
            className="md:last:col-span-2 md:last:grid md:last:grid-cols-2 md:last:items-center md:last:gap-x-10"
          >
            <ScreenPicture name={name} />
            <div className="mt-6">
              <h3 className="text-lg">{title}</h3>
              <p className="mt-2 max-w-prose text-ink-soft">{says}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
