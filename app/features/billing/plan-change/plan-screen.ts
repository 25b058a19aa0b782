import type { OfferKey, PlanName } from "~/content/plans";
import type { Card } from "../prices/words";
import type { Pause } from "../subscriptions/pause.server";
import type { Refusal } from "./outcome";
import type { DuePreview } from "./preview.server";

/** What /dashboard/plan shows of one open plan. Times are in seconds since 1970. */
export type PlanView = {
  subscription: string;
  state: string;
  name: PlanName;
  /** "$109.99 per month". */
  price: string;
  renewsAt: number;
  endsAt: number | undefined;
  planned: { name: string; price: string | undefined; at: number } | undefined;
  pending:
    | {
        name: string;
        amount: string;
        url: string | undefined;
        until: number;
        /** The status of its payment intent at Stripe. */
        status: string | undefined;
      }
    | undefined;
  /** A pause that is asked for, and whether it has begun. */
  pause: Pause | undefined;
  /** Until when it can be paused: for one month, two and three. */
  pauseEnds: number[];
  blocked: Refusal | undefined;
  /** Stripe's page on which the open invoice can be paid. */
  payAt: string | undefined;
  card: Card | undefined;
  /** By when the open invoice is to be paid, where the plan is paid by invoice. */
  dueAt: number | undefined;
  /** When an ordered plan ends if its invoice stays unpaid; undefined where nothing is unpaid. */
  orderLimit: number | undefined;
  offers: { offer: OfferKey; name: PlanName; price: string; direction: "up" | "down" }[];
  preview: PreviewView | undefined;
};

/** What a change means, for the person who is about to confirm it. */
export type PreviewView =
  | ({ kind: "up"; offer: OfferKey; name: PlanName; price: string; note: string } & Omit<
      DuePreview,
      "taxAdded"
    >)
  | {
      kind: "down";
      offer: OfferKey;
      name: PlanName;
      price: string;
      note: string;
      /** In cents. The form sends it back, so that a person confirms the amount they saw. */
      amount: number;
      at: number;
      /** Whether the change leads to the smaller plan, and not only to the shorter interval. */
      isSmaller: boolean;
    }
  | { kind: "none"; why: Refusal };

export type PlanScreen = {
  /** All open plans, when there is more than one. */
  several: { subscription: string; name: string; price: string }[];
  plan: PlanView | undefined;
};
