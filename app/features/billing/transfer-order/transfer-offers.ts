/** The offers that can be ordered by bank transfer: those that are paid by the year. */
export const transferOffers = ["pro", "basicYearly"] as const;

/** What the plan page says of an order before it is made. */
export type TransferView = {
  /** Where the invoice goes, and to whom it is made out. */
  email: string;
  company: string;
  /** Whether the invoice may say more than the price. */
  taxIsAdded: boolean;
  /** What must be given first, in words; empty when an order can be made. */
  missing: string[];
};
