import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { speakAsWanted } from "./settings/settings.svelte";

const target = document.getElementById("page");
await speakAsWanted(); // Nobody sees the page in one language and then in theirs.
if (target) mount(App, { target });
