import { Metadata, status, type StatusObject } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";

import type { PartialFailure } from "../lifecycle/partial-failure";
import type { KeySource } from "../settings/key-source";
import { messageForUser } from "./user-messages";

/** A change failed, and the engine has to store its object. */
export class InitFailure extends Error {
  readonly #properties: Struct;
  readonly #failure: PartialFailure;

  constructor(failure: PartialFailure, properties: Struct, key: KeySource) {
    super(messageForUser(failure, key), { cause: failure });
    this.#failure = failure;
    this.#properties = properties;
  }

  /** The object, in the form in which the protocol attaches it to an error. */
  get metadata(): Metadata {
    const detail = new ErrorResourceInitFailed();
    detail.setId(this.#failure.resourceId);
    detail.setProperties(this.#properties);
    detail.setReasonsList([this.message]);
    const any = new Any();
    any.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    const details = new Status();
    details.setCode(status.UNKNOWN);
    details.setMessage(this.message);
    details.addDetails(any);
    const metadata = new Metadata();
    metadata.add("grpc-status-details-bin", Buffer.from(details.serializeBinary()));
    return metadata;
  }
}

/**
 * Converts the error of a call for gRPC.
 *
 * @param key the source of the API key
 */
export function statusOf(error: unknown, key: KeySource): Partial<StatusObject> {
  const { UNKNOWN: code } = status;
  if (error instanceof InitFailure) return { code, details: error.message, metadata: error.metadata };
  return { code, details: messageForUser(error, key) };
}
