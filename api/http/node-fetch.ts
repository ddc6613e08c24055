/**
 * The only file that imports `node-fetch`, which is an ES module. The build replaces its output by a bundle in CommonJS
 * (`tools/node-fetch.mjs`), because not every loader of CommonJS can require an ES module: Jest's cannot.
 */
export { default, type RequestInit, type Response } from "node-fetch";
