/** Where the page begins: styles, language, and the first screen. */

import "./tokens.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { applyLanguage } from "./settings/settings.svelte";

const target = document.getElementById("page");
await applyLanguage(); // Nobody sees the page in one language and then in theirs.
target?.replaceChildren(); // The strip that stood there until now.
if (target) mount(App, { target });

// Installable, and there without a line. Where it cannot be, the page is the same without.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  navigator.serviceWorker.register("/worker.js").catch(() => undefined);
