// Service worker: caches the page and public data for offline use. Caches no personal data.
/* global FILES, VERSION */

const SHELL = `pitbook-shell-${VERSION}`;
const SEEN = "pitbook-seen";
const SEEN_MAX = 200;
// The same for every user.
const PUBLIC = [
    "/api/sheets",
    "/api/glossary",
    "/api/clauses/",
    "/api/math/",
    "/api/drills/packet",
];

self.addEventListener("install", (event) => {
    event.waitUntil(
        caches
            .open(SHELL)
            .then((cache) => cache.addAll(["/", ...FILES]))
            .then(() => self.skipWaiting()),
    );
});

self.addEventListener("activate", (event) => {
    event.waitUntil(
        caches
            .keys()
            .then((names) =>
                Promise.all(
                    names
                        .filter((name) => name.startsWith("pitbook-shell-") && name !== SHELL)
                        .map((name) => caches.delete(name)),
                ),
            )
            .then(() => self.clients.claim()),
    );
});

self.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== self.location.origin) return;
    if (request.mode === "navigate") event.respondWith(page(request, url));
    else if (url.pathname.startsWith("/assets/") || url.pathname.startsWith("/icons/"))
        event.respondWith(kept(request));
    else if (url.pathname === "/api/drills" || PUBLIC.some((path) => url.pathname.startsWith(path)))
        event.respondWith(lookedUp(event));
});

async function page(request, url) {
    try {
        return await fetch(request);
    } catch (error) {
        if (url.pathname.startsWith("/api/")) throw error;
        return (await caches.match("/", { cacheName: SHELL })) ?? Response.error();
    }
}

// File names contain a hash of their contents, so a cached copy is always current.
async function kept(request) {
    return (await caches.match(request, { cacheName: SHELL })) ?? fetch(request);
}

// Network first, then the cached answer.
async function lookedUp(event) {
    const { request } = event;
    try {
        const answer = await fetch(request);
        // A captive portal answers with its own HTML page.
        const type = answer.headers.get("Content-Type") ?? "";
        if (answer.ok && !type.startsWith("text/html"))
            event.waitUntil(keep(request, answer.clone()));
        return answer;
    } catch (error) {
        const seen = await caches.match(request, { cacheName: SEEN, ignoreVary: true });
        if (seen) return marked(seen);
        throw error;
    }
}

// Tells the page that the answer comes from the cache (src/api/connectivity.svelte.ts).
function marked(seen) {
    const headers = new Headers(seen.headers);
    headers.set("pitbook-seen", "before");
    return new Response(seen.body, { status: seen.status, headers });
}

async function keep(request, answer) {
    const cache = await caches.open(SEEN);
    await cache.put(request, answer);
    const all = await cache.keys();
    await Promise.all(all.slice(0, -SEEN_MAX).map((old) => cache.delete(old)));
}
