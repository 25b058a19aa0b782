/** Browsers open the answer that an address names when the page loads; later ones are up to us. */
export function openAddressedAnswer(): void {
  const details = document.getElementById(location.hash.slice(1))?.closest("details");
  if (!details) return;
  details.open = true;
  details.scrollIntoView();
}

openAddressedAnswer();
addEventListener("hashchange", openAddressedAnswer);
