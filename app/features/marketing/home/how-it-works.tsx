import type { Home } from "../page-texts.server";
import type { PicturedScreenName } from "../pictures/pictured-screens";
import { ScreenPicture } from "../pictures/screen-picture";
import { BootStrip } from "./boot-strip";

/** From answers to a server that is watched, in four steps with the screens of each. */
export function HowItWorks({ steps, stages }: Pick<Home, "steps"> & { stages: readonly string[] }) {
  return (
    <section aria-labelledby="how-it-works" className="border-t border-line">
      <div className="page py-14 sm:py-20">
        <h2 id="how-it-works" className="text-2xl">
          How it works
        </h2>
        <ol className="mt-12 grid gap-x-10 gap-y-14 md:grid-cols-2">
          {steps.map(({ name, says, picture }, at) => (
            <li key={name}>
              <ScreenPicture name={picture as PicturedScreenName} />
              <h3 className="mt-6 flex items-baseline gap-3 text-lg">
                <span className="font-mono font-normal text-signal">{at + 1}</span>
                {name}
              </h3>
              <p className="mt-2 max-w-prose text-ink-soft">{says}</p>
            </li>
          ))}
        </ol>
        <BootStrip stages={stages} />
      </div>
    </section>
  );
}
