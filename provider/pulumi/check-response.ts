import * as messages from "@pulumi/pulumi/proto/provider_pb";

import type { Problem } from "../call/services";
import type { Values } from "../values";
import { inputStruct, type Properties } from "./properties";
import { problemWithoutValue } from "./user-messages";

/** What a check answers: the inputs, and what is wrong with them. */
export function checkResponse(
  inputs: Values,
  given: Pick<Properties, "secrets">,
  problems: readonly Problem[],
): messages.CheckResponse {
  const response = new messages.CheckResponse();
  response.setInputs(inputStruct(inputs, given));
  response.setFailuresList(problems.map(problemWithoutValue).map(checkFailure));
  return response;
}

export function checkFailure({ property, reason }: Problem): messages.CheckFailure {
  const failure = new messages.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}
