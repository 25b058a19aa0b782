import { useEffect, useRef, useState } from "react";
import { Section } from "~/ui/console/section";
import { RecentMoment } from "~/ui/moment";
import { Dialog } from "~/ui/primitives/dialog";
import { Message } from "~/ui/primitives/message";
import { Spinner } from "~/ui/primitives/spinner";
import { TextLink } from "~/ui/primitives/text-link";
import { ActDialog } from "./act-dialog";
import { type LiveRoom, peopleCount } from "./live-room";
import { failureWords, type RoomFailure } from "./room-failure";
import { RoomList } from "./room-list";
import type { RoomsToken } from "./rooms-token";
import { RoomsTokenForm } from "./rooms-token-form";
import { type LiveRooms as Live, useLiveRooms } from "./use-live-rooms";
import { useRoomActs } from "./use-room-acts";

/** The rooms of a deployment's server, once a token was pasted. */
export function LiveRooms({ domain }: { domain: string }) {
  const live = useLiveRooms(domain);
  const acts = useRoomActs(domain, live);
  const [wanted, setWanted] = useState<LiveRoom>();
  const { token, reading, failure, open } = live;
  const { state } = acts;
  // An act without a dialog says its failure on the page.
  const isSaid = state.step === "done" || (state.step === "failed" && state.act.intent === "mute");
  return (
    <>
      {token ? null : (
        <Section
          id="token"
          title={reading ? "Another token" : "Token"}
          detail="Our site has no key to your server. Your server makes a token:"
        >
          <div className="grid gap-6">
            {failure ? <Failure failure={failure} domain={domain} /> : null}
            <RoomsTokenForm take={open} />
          </div>
        </Section>
      )}
      {token || reading ? (
        <Section id="rooms" title="Rooms" detail={<Age live={live} />}>
          <Outcome message={isSaid ? state : undefined} token={token} />
          {token && failure ? <Failure failure={failure} domain={domain} /> : null}
          {reading ? (
            reading.rooms.length === 0 ? (
              <p className="wrap-anywhere">{`Nobody is in a call: ${domain} has no rooms right now.`}</p>
            ) : (
              <RoomList reading={reading} token={token} acts={acts} askFor={setWanted} />
            )
          ) : failure ? null : (
            <p role="status" className="flex items-center gap-3 wrap-anywhere">
              <Spinner />
              <span>{`Asking ${domain}…`}</span>
            </p>
          )}
        </Section>
      ) : null}
      <ActDialog acts={acts} rooms={reading?.rooms ?? []} />
      {wanted ? (
        <Dialog
          title="Who is in it"
          closeTo="."
          onClose={() => setWanted(undefined)}
          className="max-w-lg"
        >
          <p className="mb-4 wrap-anywhere">
            LiveKit wants a token for each room. For <bdi className="font-mono">{wanted.name}</bdi>{" "}
            this makes one, on the server:
          </p>
          <RoomsTokenForm
            room={wanted}
            take={(next) => {
              setWanted(undefined);
              open(next);
            }}
          />
        </Dialog>
      ) : null}
    </>
  );
}

/** How many there are, of when that is, and until when the token is good. */
function Age({ live: { token, reading } }: { live: Live }) {
  return (
    <>
      {reading ? (
        <span className="block">
          <span>{`${roomCount(reading.rooms.length)}, ${peopleCount(sumOf(reading.rooms))}. Read at `}</span>
          <RecentMoment at={reading.at} />
          <span>{token ? ", and again every five seconds while you look." : "."}</span>
        </span>
      ) : null}
      {token ? (
        <span className="block">
          <span>{"The token is good until "}</span>
          <RecentMoment at={new Date(token.endsAt).toISOString()} />
          <span>.</span>
        </span>
      ) : null}
    </>
  );
}

const roomCount = (count: number): string => (count === 1 ? "1 room" : `${count} rooms`);
const sumOf = (rooms: readonly LiveRoom[]): number =>
  rooms.reduce((sum, { participants }) => sum + participants, 0);

/** What came of the last act. What was pressed, there or in the form of a token, is gone: the keyboard goes on from here. */
function Outcome({
  message,
  token,
}: {
  message: { step: "done" | "failed"; message: string } | undefined;
  token: RoomsToken | undefined;
}) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (message || token) place.current?.focus();
  }, [message, token]);
  return (
    <div ref={place} tabIndex={-1} className={message ? "mb-6" : ""}>
      {message ? (
        <Message kind={message.step === "done" ? "success" : "failure"}>{message.message}</Message>
      ) : null}
    </div>
  );
}

function Failure({ failure, domain }: { failure: RoomFailure; domain: string }) {
  const { title, steps, showsAddress } = failureWords(failure, domain);
  return (
    <Message kind={failure === "token-ended" ? "warning" : "failure"} className="mb-6">
      <p className="font-strong wrap-anywhere">{title}</p>
      {showsAddress ? (
        <p className="mt-2 wrap-anywhere">
          {"Open "}
          <TextLink to={`https://${domain}/`}>{`https://${domain}/`}</TextLink>
          {" and read what the browser says:"}
        </p>
      ) : null}
      {steps.length > 0 ? (
        <ul className="mt-2 list-disc pl-5">
          {steps.map((step) => (
            <li key={step} className="wrap-anywhere">
              {step}
            </li>
          ))}
        </ul>
      ) : null}
    </Message>
  );
}
