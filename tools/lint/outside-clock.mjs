/** A rule that `.oxlintrc.json` cannot express: `new Date()` reads the time, but `new Date(milliseconds)` does not. */
const newDate = {
  /** @param {{ report(problem: object): void }} context */
  create: (context) => ({
    /** @param {{ callee: { name?: string }, arguments: unknown[] }} node */
    NewExpression(node) {
      if (node.callee.name !== "Date" || node.arguments.length > 0) return;
      context.report({ node, message: "time is injected: only a clock may read or wait for it" });
    },
  }),
};

export default { meta: { name: "outside-clock" }, rules: { "new-date": newDate } };
