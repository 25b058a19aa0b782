import { useEffect, useState } from "react";
import { data } from "react-router";

/** Why a screen was not given what it asked for: the status of the answer, and a sentence for the person. */
export type ReadFailure = { status: 400 | 401 | 403 | 404 | 429 | 503; error: string };

/** A failure as the answer of a loader that a fetcher reads. */
export function readFailure(status: ReadFailure["status"], error: string) {
  const failure: ReadFailure = { status, error };
  return data(failure, { status, headers: { "cache-control": "no-store" } });
}

export function isFailure(answer: object): answer is ReadFailure {
  return "error" in answer;
}

type Reader<Value> = {
  data: Value | ReadFailure | undefined;
  load: (address: string) => Promise<void>;
};

/**
 * Reads an address by a fetcher, at once and whenever the address changes. The router reads it again after the
 * changes that the route's `shouldRevalidate` names. `value` is the newest that was read; `failure` is set if the
 * last reading failed.
 */
export function useRead<Value extends object>({ data, load }: Reader<Value>, address: string) {
  useEffect(() => {
    void load(address);
  }, [load, address]);
  const failure = data && isFailure(data) ? data : undefined;
  const value = useNewest(data && !isFailure(data) ? data : undefined);
  return { value, failure, readAgain: () => void load(address) };
}

/** The newest value that was read, for as long as nothing is read any more. */
export function useNewest<Value extends object>(read: Value | undefined): Value | undefined {
  const [newest, setNewest] = useState(read);
  if (read && read !== newest) setNewest(read);
  return read ?? newest;
}
