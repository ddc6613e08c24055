import { apiKey as definition } from "../../../provider/resources/api-key";
import type { Sample } from "../sample";
import { key } from "./object";

/** A personal key. */
export const apiKey: Sample = {
  kind: "ApiKey",
  definition,
  declare: (stage) => Promise.resolve({ name: stage.name("ci"), rotateTrigger: "spring" }),
  inPlace: () => [],
  replaces: ({ name }) => ({ createsFirst: { name: `${String(name)}-renamed`, rotateTrigger: "summer" } }),
  ...key,
  adopt: ({ keyId }) => String(keyId),
  lostOnAdoption: ["key"],
};
