/** The first boot on the home page runs once, when it is seen: its look is in app.css. */
export function watchBootStrip(): void {
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        target.setAttribute("data-boot", "seen");
        seen.unobserve(target);
      }
    },
    { threshold: 0.6 },
  );
  for (const strip of document.querySelectorAll("[data-boot]")) seen.observe(strip);
}

watchBootStrip();
