// Plays rounds as fast as the house answers, by keys alone; it knows what is on the screen and nothing else.
// The same seed and the same cards are the same evening, however long anything takes.
async ([rounds, seed, enough, hasty]) => {
  const LOOK_MS = 20;
  const SURELY_MS = 4_000; // Who is not heard until then presses again,
  const TRIES = 5; // and gives up in the end.
  const HURRY_MS = 30;
  const UNHURRIED = 20; // One round in so many is watched to its end.

  const actions = () => document.querySelector('[role="group"][aria-label="Actions"]');
  const balance = () => document.querySelector("header b").textContent.trim();
  const result = () => document.querySelector('[role="tabpanel"] :is(h2, h3) b')?.textContent.trim();
  const refused = () => actions().querySelector('[role="alert"]').textContent.trim();
  const buttons = () => [...actions().querySelectorAll("button[aria-keyshortcuts]")];
  const named = (name) => buttons().find((one) => one.textContent.trim().startsWith(name));
  const able = (one) => one !== undefined && one.getAttribute("aria-disabled") !== "true";
  const asked = () => [...document.querySelectorAll("main p")].some((one) => one.textContent.includes(": your decision"));
  const plays = () =>
    buttons()
      .filter((one) => able(one) && one.matches(".play:not([aria-pressed])"))
      .map((one) => one.getAttribute("aria-keyshortcuts"));
  const staked = () => named("Deal")?.dataset.staked === "true";
  const over = () => named("Deal") !== undefined && !staked() && result() !== undefined;

  let state = 0; // Mixed anew for each round.
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const press = (key) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

  /** Whether something is to be seen within some time. */
  const within = (ms, what) =>
    new Promise((resolve) => {
      if (what()) return resolve(true);
      const timer = ms === null ? 0 : setTimeout(() => end(false), ms);
      const watching = new MutationObserver(() => what() && end(true));
      const end = (seen) => {
        watching.disconnect();
        clearTimeout(timer);
        resolve(seen);
      };
      watching.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    });
  const looked = async () => (await fetch(`/api/tables/${table}`)).json();
  const mine = (view) => view.seats.find((one) => one.player !== null);

  const lies = async () => {
    const view = await looked();
    return JSON.stringify([view.phase, mine(view).wagers]);
  };
  /** A key that must not be heard twice: until the house has another bet, or says no. */
  const changed = async (key, from, no = refused) => {
    for (let n = 0; n < TRIES; n++) {
      press(key);
      const until = performance.now() + SURELY_MS;
      while (performance.now() < until) {
        if (no() || (await lies()) !== from) return;
        await new Promise((go_on) => setTimeout(go_on, LOOK_MS));
      }
    }
    throw new Error(`${key} is not heard: ${actions().textContent}`);
  };

  /** The same again, often with a chip more, which is sometimes taken back. */
  async function bet() {
    const [more, chip, steps, back] = [random(2), 1 + random(2), random(3), random(3) === 0];
    if (staked()) return;
    await changed("r", await lies(), () => false); // What was refused before stands there still.
    await within(null, staked);
    if (!more) return;
    const before = await lies();
    press(String(chip));
    for (let n = steps; n > 0; n--) press("ArrowRight");
    await changed("ArrowUp", before);
    const after = await lies();
    if (after !== before && back) await changed("u", after);
  }

  /** A second Enter would be one too many where the round is over at once. */
  async function deal() {
    press("Enter");
    while (!(await within(SURELY_MS, () => asked() || over())))
      if ((await looked()).phase === "wagers") press("Enter");
  }

  async function decide() {
    for (;;) {
      await within(null, () => over() || (asked() && plays().length > 0));
      if (over()) return;
      if (able(named("Double")) && random(4) === 0) press("d");
      const open = plays();
      press(open[random(open.length)].toLowerCase());
      await within(null, () => over() || plays().length === 0);
    }
  }

  const table = location.pathname.split("/").pop();
  const told = [];
  let hurried = false;
  const hurry = setInterval(() => hurried && press("Shift"), HURRY_MS); // Any key ends all motion.
  await within(null, () => able(named("Deal")));
  while (told.length < rounds) {
    state = Math.imul(seed ^ Math.imul(told.length + 1, 0x9e3779b1), 0x85ebca6b) >>> 0;
    hurried = hasty && told.length % UNHURRIED !== 0;
    const before = staked() ? null : balance();
    await bet();
    const wagers = mine(await looked()).wagers;
    await deal();
    await decide();
    const view = await looked();
    told.push({ before, wagers, shown: balance(), net: result(), wallet: view.wallet, view });
    if (Number(view.wallet) < enough || !able(named("Rebet"))) break; // Too little for the same again.
  }
  clearInterval(hurry);
  return told;
}
