/** Defers work that takes longer than a frame. */

const LATEST = 500;
const UNSEEN = 100;

export function whenIdle(what: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(what, { timeout: LATEST });
  else setTimeout(what, LATEST); // Safari has no requestIdleCallback.
}

/** Run after the next paint, or after a timeout in a background tab. */
export function afterPaint(what: () => void): void {
  const fallbackTimer = setTimeout(finish, UNSEEN);
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(finish)));
  function finish(): void {
    clearTimeout(fallbackTimer);
    cancelAnimationFrame(frame);
    what();
  }
}
