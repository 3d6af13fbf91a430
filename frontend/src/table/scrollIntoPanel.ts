/** Svelte action: scroll a row into view inside the panel while it matters, on the next frame. */
export function scrollIntoPanel(row: HTMLElement, matters: boolean) {
  const show = () => {
    const panel = row.closest<HTMLElement>(".panel");
    if (!panel || panel.scrollHeight <= panel.clientHeight) return;
    const [rowBox, panelBox] = [row.getBoundingClientRect(), panel.getBoundingClientRect()];
    const top = panelBox.top + (panel.querySelector("[role=tablist]")?.clientHeight ?? 0);
    if (rowBox.bottom > panelBox.bottom)
      panel.scrollTop += rowBox.bottom - panelBox.bottom + rowBox.height;
    else if (rowBox.top < top) panel.scrollTop += rowBox.top - top - rowBox.height;
  };
  const update = (isCurrent: boolean) => void (isCurrent && requestAnimationFrame(show));
  update(matters);
  return { update };
}
