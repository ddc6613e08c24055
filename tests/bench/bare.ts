/**
 * The provider of resources that do nothing: what Pulumi's SDK and engine take by themselves. With an input `sleep`, a
 * creation takes so many milliseconds.
 */
export const bareProvider =
  "exports.handler=()=>({async check(o,n){return{inputs:n}},async diff(){return{changes:false}}," +
  "async create(i){if(i.sleep)await new Promise(r=>setTimeout(r,i.sleep));return{id:i.name,outs:i}}})";

/** A program of so many such resources; `pulumi` is there. */
export function bareProgram(count: number, sleep = 0): string {
  return `
    const text = ${JSON.stringify(bareProvider)};
    for (let index = 0; index < ${count}; index += 1) {
      const name = "bare-" + index;
      new pulumi.CustomResource("pulumi-nodejs:dynamic/bench:Bare", name, { __provider: text, name, sleep: ${Math.round(sleep)} });
    }
  `;
}
