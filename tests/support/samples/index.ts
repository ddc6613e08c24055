import type { KindName } from "../../../provider/v1";
import type { Sample } from "../sample";
import { branch } from "./branch";
import { project } from "./project";

/** A sample of every kind: the compiler asks for those that are missing. */
export const samples: Readonly<Record<KindName, Sample>> = {
  Project: project,
  Branch: branch,
};
