import type { Campaign } from "../campaign";
import { rounds } from "./rounds";

/** Kills of the local platform under load. */
export const durability: Campaign = {
  name: "durability",
  title: "Durability of a killed local platform",
  share: 0.7,
  carryOut: (run) => rounds({ ...run, kills: Infinity, clients: 12, longestMs: 2_000 }),
};
