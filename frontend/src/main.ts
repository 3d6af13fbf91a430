import "./tokens.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { layDeck } from "./parts/deck.svelte";
import { speakAsWanted } from "./settings/settings.svelte";

const target = document.getElementById("page");
void layDeck().catch(() => undefined); // Cards stay plain, and the page goes on.
await speakAsWanted(); // Nobody sees the page in one language and then in theirs.
if (target) mount(App, { target });
