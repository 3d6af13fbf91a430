// What serious things axe finds, by all rules or by some, in what is not known word for word from another screen.
async ([rules, known]) => {
  if (typeof window.axe !== "object") return null; // It is to be brought first.
  const FEW = 4; // Elements in a part that is looked at each time.
  const STATES = [":checked", ":disabled", ":focus", ":invalid", ":placeholder-shown", "[open]"];
  const hash = (text) => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let n = 0; n < text.length; n++) {
      high = Math.imul(high ^ text.charCodeAt(n), 2654435761);
      low = Math.imul(low ^ text.charCodeAt(n), 1597334677);
    }
    return (high >>> 0).toString(36) + (low >>> 0).toString(36);
  };
  const own = (one) => one.cloneNode(false).outerHTML;
  const states = (one) => STATES.map((state) => one.querySelectorAll(state).length).join();
  const [before, parts, left] = [new Set(known), [], []];
  const walk = (one, above) => {
    for (const part of one.children) {
      if (part.getElementsByTagName("*").length < FEW) continue;
      const key = hash(`${above} ${states(part)} ${part.outerHTML}`);
      if (before.has(key)) {
        left.push(part);
        continue;
      }
      parts.push(key);
      walk(part, above + own(part));
    }
  };
  walk(document.body, own(document.documentElement) + own(document.body));
  // A rule says how grave its findings are: those of these are never serious.
  const mild = axe._audit.rules.filter((one) => ["minor", "moderate"].includes(one.impact));
  const which = rules
    ? { runOnly: { type: "rule", values: rules } }
    : { rules: Object.fromEntries(mild.map((one) => [one.id, { enabled: false }])) };
  const where = left.length ? { exclude: left } : document;
  // Style sheets are not fetched once more: no rule that is on reads them.
  const how = { resultTypes: ["violations"], preload: false };
  const { violations } = await axe.run(where, { ...how, ...which });
  const found = violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes.map((one) => `${one.target.join(" ")} | ${one.failureSummary}`),
  }));
  return { found, parts };
}
