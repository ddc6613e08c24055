import { durationText } from "../../pulumi-run/scale";
import { Badge, Bar } from "../parts/status";

/** A node of a plan, as `EXPLAIN (FORMAT JSON)` writes it. */
interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Join Type"?: string;
  readonly Filter?: string;
  readonly "Index Cond"?: string;
  readonly "Hash Cond"?: string;
  readonly "Sort Key"?: readonly string[];
  readonly "Plan Rows": number;
  readonly "Actual Rows"?: number;
  readonly "Actual Loops"?: number;
  readonly "Actual Total Time"?: number;
  readonly "Total Cost": number;
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
}

interface Explained {
  readonly Plan: PlanNode;
  readonly "Planning Time"?: number;
  readonly "Execution Time"?: number;
}

/** The statements that explain another one. Its changes are rolled back. */
export const explaining = (statement: string): string[] => [
  "BEGIN",
  `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
  "ROLLBACK",
];

/** A plan as a tree, with the share of the time that each node took itself. */
export function Plan({ json }: { readonly json: string }) {
  const [explained] = JSON.parse(json) as readonly Explained[];
  if (!explained) return null;
  const total = Math.max(0.001, timeOf(explained.Plan));
  return (
    <section class="plan" aria-label="Plan">
      <p class="result-head">
        <Badge tone="good">EXPLAIN ANALYZE</Badge>
        <span>{precise(explained["Execution Time"] ?? 0)} to run</span>
        <span class="soft">{precise(explained["Planning Time"] ?? 0)} to plan, rolled back</span>
      </p>
      <ul class="plan-tree">
        <Node node={explained.Plan} total={total} />
      </ul>
    </section>
  );
}

const timeOf = (node: PlanNode): number => (node["Actual Total Time"] ?? 0) * (node["Actual Loops"] ?? 1);

const precise = (milliseconds: number): string =>
  milliseconds < 10 ? `${milliseconds.toFixed(2)} ms` : durationText(milliseconds);

function Node({ node, total }: { readonly node: PlanNode; readonly total: number }) {
  const { Plans: below = [] } = node;
  const own = Math.max(0, timeOf(node) - below.reduce((sum, each) => sum + timeOf(each), 0));
  const share = own / total;
  const rows = (node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 1);
  const isMisjudged = rows > 100 && (rows > node["Plan Rows"] * 10 || rows * 10 < node["Plan Rows"]);
  const condition = node["Index Cond"] ?? node["Hash Cond"] ?? node.Filter ?? node["Sort Key"]?.join(", ");
  return (
    <li>
      <div class="plan-node">
        <Bar tone={share > 0.5 ? "bad" : share > 0.2 ? "busy" : "good"} share={share} />
        <span>
          <strong>
            {node["Join Type"] === undefined ? "" : `${node["Join Type"]} `}
            {node["Node Type"]}
          </strong>
          {node["Relation Name"] !== undefined && <span class="mono"> {node["Relation Name"]}</span>}
          {node["Index Name"] !== undefined && <span class="soft mono"> by {node["Index Name"]}</span>}
          {condition !== undefined && <span class="soft mono cut condition">{condition}</span>}
        </span>
        <span class="number">{precise(own)}</span>
        <span class={`number rows ${isMisjudged ? "misjudged" : "soft"}`}>
          {Math.round(rows).toLocaleString("en")} rows
          {isMisjudged && `, expected ${Math.round(node["Plan Rows"]).toLocaleString("en")}`}
        </span>
      </div>
      {below.length > 0 && (
        <ul>
          {below.map((each, index) => (
            <Node key={index} node={each} total={total} />
          ))}
        </ul>
      )}
    </li>
  );
}
