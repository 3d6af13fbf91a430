/** Where in the page somebody is, and how one goes elsewhere without loading it again. */

import { type Screen, screenOf } from "./screens";

let path = $state(location.pathname);

export const route = {
  get screen(): Screen {
    return screenOf(path);
  },
};

addEventListener("popstate", () => {
  path = location.pathname;
});

export function go(to: string): void {
  if (to !== location.pathname) history.pushState(null, "", to);
  path = to;
  scrollTo(0, 0);
}

/** Links of our own are followed here; everything else is the browser's. */
export function follow(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (!link || link.target || link.download || !isPlain(event)) return;
  if (link.origin !== location.origin || link.pathname.startsWith("/api/") || link.hash) return;
  event.preventDefault();
  go(link.pathname);
}

/** A press that nobody has answered yet, and that asks for no other window. */
const isPlain = (event: MouseEvent): boolean =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
