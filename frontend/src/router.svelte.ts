/** Client-side routing: the current address, and navigation without reloading. */

import { queryParam, type Screen, screenOf, type ServerScreen } from "./screens";

const first = location.pathname;
const screen = document.querySelector<HTMLMetaElement>("meta[name=screen]")?.content;
const opened = screen ? (JSON.parse(screen) as ServerScreen) : null;

let path = $state(location.pathname);
let query = $state(location.search);

export const route = {
  get screen(): Screen {
    return opened && path === first ? opened : screenOf(path);
  },
  /** A query parameter of the current address. */
  param(name: string): string | null {
    return queryParam(query, name);
  },
};

function update(): void {
  path = location.pathname;
  query = location.search;
}

addEventListener("popstate", update);

export function go(target: string): void {
  if (target !== location.pathname + location.search) history.pushState(null, "", target);
  update();
  scrollTo(0, 0);
}

/** Navigate and replace the current entry of the history. */
export function replaceWith(target: string): void {
  history.replaceState(null, "", target);
  go(target);
}

/** Follow internal links here and leave the rest to the browser. */
export function followLink(event: MouseEvent): void {
  const link = (event.target as Element).closest("a");
  if (!link || link.target || link.download || !isPlain(event)) return;
  if (link.origin !== location.origin || link.hash) return;
  if (link.pathname.startsWith("/api/") && link.pathname !== "/api/docs") return;
  event.preventDefault();
  go(link.pathname + link.search);
}

/** An unhandled plain click: left button, no modifier, same window. */
const isPlain = (event: MouseEvent): boolean =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
