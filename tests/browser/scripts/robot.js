// Plays rounds as fast as the house answers, by keys alone; it knows what is on the screen and nothing else.
async ([rounds, seed, enough, hasty]) => {
  const AGAIN_MS = 150; // Who is not heard presses again.
  const CHIP_MS = 400;
  const HURRY_MS = 50;

  const actions = () => document.querySelector('[role="group"][aria-label="Actions"]');
  const balance = () => document.querySelector("header b").textContent.trim();
  const result = () => document.querySelector('[role="tabpanel"] :is(h2, h3) b')?.textContent.trim();
  const buttons = () => [...actions().querySelectorAll("button[aria-keyshortcuts]")];
  const named = (name) => buttons().find((one) => one.textContent.trim().startsWith(name));
  const able = (one) => one !== undefined && one.getAttribute("aria-disabled") !== "true";
  const asked = () =>
    [...document.querySelectorAll("main p")]
      .map((one) => one.textContent.trim())
      .find((text) => text.includes(": your decision"));
  const plays = () =>
    buttons()
      .filter((one) => able(one) && /^(Fold|\dx|Low|High)/.test(one.textContent.trim()))
      .map((one) => one.getAttribute("aria-keyshortcuts"));
  const staked = () => named("Deal")?.dataset.staked === "true";
  const over = () => named("Deal") !== undefined && !staked() && result() !== undefined;

  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0; // The same seed, the same evening.
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
  const insist = async (key, what) => {
    do press(key);
    while (!(await within(AGAIN_MS, what)));
  };

  async function bet() {
    await insist("r", staked);
    if (random(2)) return;
    const before = balance();
    press(String(1 + random(2)));
    for (let n = random(3); n > 0; n--) press("ArrowRight");
    press("ArrowUp");
    const put = await within(CHIP_MS, () => balance() !== before);
    if (!put || random(3)) return;
    press("u");
    await within(CHIP_MS, () => balance() === before);
  }

  async function decide() {
    for (let last; ; last = asked()) {
      await within(null, () => over() || (asked() && asked() !== last && plays().length > 0));
      if (over()) return;
      if (able(named("Double")) && random(4) === 0) press("d");
      const open = plays();
      press(open[random(open.length)].toLowerCase());
    }
  }

  const table = location.pathname.split("/").pop();
  const told = [];
  const hurry = hasty ? setInterval(() => press("Shift"), HURRY_MS) : 0; // Any key ends all motion.
  while (told.length < rounds) {
    const before = balance();
    await bet();
    await insist("Enter", () => asked() !== undefined || over());
    await decide();
    const view = await (await fetch(`/api/tables/${table}`)).json();
    told.push({ round: view.round, before, shown: balance(), wallet: view.wallet, net: result() });
    if (Number(view.wallet) < enough || !able(named("Rebet"))) break; // Too little for the same again.
  }
  clearInterval(hurry);
  return told;
}
