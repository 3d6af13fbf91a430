/** What takes longer than a frame is done while nobody waits for anything, or a part of it in each frame. */

const LATEST = 500;
const UNSEEN = 100;

export function whenIdle(what: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(what, { timeout: LATEST });
  else setTimeout(what, LATEST); // Safari has no such moment.
}

/** Once the screen shows what is there now; a page that nobody looks at draws nothing, and goes on all the same. */
export function afterPaint(what: () => void): void {
  const unseen = setTimeout(finish, UNSEEN);
  let frame = requestAnimationFrame(() => (frame = requestAnimationFrame(finish)));
  function finish(): void {
    clearTimeout(unseen);
    cancelAnimationFrame(frame);
    what();
  }
}
