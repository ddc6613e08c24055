/**
 * The frozen entry: what every resource's state calls. It stands in users' state files for ever, so nothing here is
 * renamed and no kind is taken out.
 */
import type { dynamic } from "@pulumi/pulumi";

import type { DynamicKindName } from "./frozen-entry";
import { dynamicKinds } from "./kinds";
import { dependenciesOf } from "./pulumi/dependencies";
import { DynamicDoor } from "./pulumi/dynamic-provider";

const door = new DynamicDoor(dependenciesOf(process));

/** The provider of a kind, as the text in state asks for it. */
export function provider(kind: DynamicKindName): dynamic.ResourceProvider {
  return door.provider(dynamicKinds[kind]);
}
