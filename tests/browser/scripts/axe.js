// Serious accessibility violations that axe finds, skipping parts already checked on another screen.
async ([rules, checkedKeys]) => {
  if (typeof window.axe !== "object") return null; // The caller must load axe first.
  const SMALL = 4; // A part with fewer elements is always checked.
  const STATES = [":checked", ":disabled", ":focus", ":invalid", ":placeholder-shown", "[open]"];
  const hash = (text) => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let n = 0; n < text.length; n++) {
      high = Math.imul(high ^ text.charCodeAt(n), 2654435761);
      low = Math.imul(low ^ text.charCodeAt(n), 1597334677);
    }
    return (high >>> 0).toString(36) + (low >>> 0).toString(36);
  };
  const openingTag = (element) => element.cloneNode(false).outerHTML;
  const stateCounts = (element) => STATES.map((state) => element.querySelectorAll(state).length).join();
  const [checked, parts, skipped] = [new Set(checkedKeys), [], []];
  const walk = (element, ancestors) => {
    for (const part of element.children) {
      if (part.getElementsByTagName("*").length < SMALL) continue;
      const key = hash(`${ancestors} ${stateCounts(part)} ${part.outerHTML}`);
      if (checked.has(key)) {
        skipped.push(part);
        continue;
      }
      parts.push(key);
      walk(part, ancestors + openingTag(part));
    }
  };
  walk(document.body, openingTag(document.documentElement) + openingTag(document.body));
  // Rules whose findings are never serious are switched off.
  const mild = axe._audit.rules.filter((rule) => ["minor", "moderate"].includes(rule.impact));
  const ruleOptions = rules
    ? { runOnly: { type: "rule", values: rules } }
    : { rules: Object.fromEntries(mild.map((rule) => [rule.id, { enabled: false }])) };
  const context = skipped.length ? { exclude: skipped } : document;
  // No enabled rule reads style sheets, so they are not fetched again.
  const options = { resultTypes: ["violations"], preload: false };
  const { violations } = await axe.run(context, { ...options, ...ruleOptions });
  const found = violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes.map((node) => `${node.target.join(" ")} | ${node.failureSummary}`),
  }));
  return { found, parts };
}
