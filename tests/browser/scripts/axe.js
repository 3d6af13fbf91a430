// What axe finds, by all rules or by some.
async (rules) => {
  const only = rules ? { runOnly: { type: "rule", values: rules } } : {};
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...only });
  return violations.map(({ id, impact, nodes }) => ({
    id,
    impact,
    nodes: nodes.map((one) => `${one.target.join(" ")} | ${one.failureSummary}`),
  }));
}
