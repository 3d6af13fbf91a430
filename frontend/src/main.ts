/** Entry point: styles, language, and the first screen. */

import "./tokens.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { applyLanguage } from "./settings/settings.svelte";

const target = document.getElementById("page");
await applyLanguage(); // Avoid a flash of text in another language.
target?.replaceChildren(); // Remove the placeholder header.
if (target) mount(App, { target });

// Makes the page installable and usable offline. Optional.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  navigator.serviceWorker.register("/worker.js").catch(() => undefined);
