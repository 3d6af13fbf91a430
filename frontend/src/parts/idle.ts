/** What takes longer than a frame is done while nobody waits for anything, and soon. */

const LATEST = 500;

export function whenIdle(what: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(what, { timeout: LATEST });
  else setTimeout(what, LATEST); // Safari has no such moment.
}
