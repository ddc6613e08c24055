import { apiKey as definition } from "../../../provider/resources/api-key";
import type { Sample } from "../sample";
import { keyExists, revokeKey } from "./key";

/** A personal key. */
export const apiKey: Sample = {
  kind: "ApiKey",
  definition,
  declare: (stage) => Promise.resolve({ name: stage.name("ci"), rotateTrigger: "spring" }),
  inPlace: () => [],
  replaces: ({ name }) =>
    Promise.resolve([
      { input: "name", to: `${String(name)}-renamed`, deletesFirst: false },
      { input: "rotateTrigger", to: "summer", deletesFirst: false },
    ]),
  remove: revokeKey,
  exists: keyExists,
  adopt: ({ keyId }) => String(keyId),
  lostOnAdoption: ["key"],
};
