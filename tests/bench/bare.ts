/**
 * The provider of resources that do nothing: what Pulumi's SDK and engine take by themselves. With an input `sleep`, a
 * creation takes so many milliseconds.
 */
export const bareProvider =
  "exports.handler=()=>({async check(o,n){return{inputs:n}},async diff(){return{changes:false}}," +
  "async create(i){if(i.sleep)await new Promise(r=>setTimeout(r,i.sleep));return{id:i.name,outs:i}}})";

/** What bare resources have. */
export interface BareShape {
  /** Milliseconds that a creation sleeps. Default: 0. */
  readonly sleep?: number;
  /** Outputs without a value, for each of which Pulumi's SDK makes promises. Default: 0. */
  readonly outputs?: number;
}

/** A program of so many such resources; `pulumi` is there. */
export function bareProgram(count: number, { sleep = 0, outputs = 0 }: BareShape = {}): string {
  return `
    const text = ${JSON.stringify(bareProvider)};
    const outputs = Object.fromEntries(Array.from({ length: ${outputs} }, (_, index) => ["output" + index, undefined]));
    for (let index = 0; index < ${count}; index += 1) {
      const name = "bare-" + index;
      const inputs = { ...outputs, __provider: text, name, sleep: ${Math.round(sleep)} };
      new pulumi.CustomResource("pulumi-nodejs:dynamic/bench:Bare", name, inputs);
    }
  `;
}
