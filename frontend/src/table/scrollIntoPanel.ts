/** Svelte action: scroll a row into view inside the panel while it matters, on the next frame. */
export function scrollIntoPanel(row: HTMLElement, matters: boolean) {
  const show = () => {
    const panel = row.closest<HTMLElement>(".panel");
    if (!panel || panel.scrollHeight <= panel.clientHeight) return;
    const [mine, its] = [row.getBoundingClientRect(), panel.getBoundingClientRect()];
    const top = its.top + (panel.querySelector("[role=tablist]")?.clientHeight ?? 0);
    if (mine.bottom > its.bottom) panel.scrollTop += mine.bottom - its.bottom + mine.height;
    else if (mine.top < top) panel.scrollTop += mine.top - top - mine.height;
  };
  const update = (now: boolean) => void (now && requestAnimationFrame(show));
  update(matters);
  return { update };
}
