import { data } from "react-router";

/** Any other address below /dashboard: the layout's error boundary says that there is no such page. */
export function loader() {
  throw data(null, { status: 404 });
}

/** A route without a component would answer without the console around it. */
export default function Missing() {
  return null;
}
