import { createKey, findKey, signInKeyName } from "../model/accounts/api-key";
import { getOrCreateUser } from "../model/accounts/user";
import type { ConsoleServices } from "./services";

/** Returns a function that returns a valid key of the first user: always the same one, and another one after it is revoked. */
export function signInWith({ controlPlane, store }: ConsoleServices): () => string {
  let key = "";
  return () => {
    if (!findKey(controlPlane, key)) {
      const owner = { user_id: getOrCreateUser(controlPlane).id };
      ({ key } = store.transaction(() => createKey(controlPlane, owner, signInKeyName)));
    }
    return key;
  };
}
