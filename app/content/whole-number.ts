/**
 * A whole number as English writes it: 1,200. Without `Intl`, whose first use loads the browser's tables: on a phone that
 * takes longer than all else that a page does before it answers a press.
 */
export function wholeNumber(figure: number): string {
  return String(figure).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
