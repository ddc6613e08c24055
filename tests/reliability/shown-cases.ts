export const about = { objects: ["late-frost-302709/br-1", "br-1"], secrets: ["napi_secret", "hunter2hunter2"] };

const refused = "PATCH /projects/p/branches/br-1 failed with HTTP 422: not now [request r-1].";
const timedOut = "Timed out after 5 s: operation o-1 (start_compute) is running.";
const goesOn = "The next `pulumi up` resumes from here.";

export const good = [
  `${refused} Nothing was changed. The request conflicts with the object's state or an account limit. Resolve that first.`,
  `${refused} Correct the inputs. ${goesOn}`,
  `GET /projects/p failed with HTTP 503: no reason given (text/html) [request r-1] (4 attempts in 12 s). Try again later.`,
  "GET /projects/p returned HTTP 200, but the response is not JSON (text/html) [request r-1]. The state was not changed. Try again.",
  "GET /projects/p received no response within 30 s. Try again later.",
  "GET /projects/p received no response: read ECONNRESET (14 attempts in 119 s). Nothing was created. Try again later.",
  "POST /projects was sent, but its outcome is unknown: no response: read ECONNRESET. No object was found that it could have created. The next `pulumi up` checks again first.",
  "POST /projects was sent, but its outcome is unknown: HTTP 502, bad gateway [request r-1]. No object was found that it could have created. The next `pulumi up` resumes from here.",
  `${timedOut} ${goesOn}`,
  `${timedOut} Last poll error: GET /projects/p/operations/o-1 failed with HTTP 423: try again later [request r-1]. ${goesOn}`,
  "Operation o-1 (create_branch) ended with status error (failures: 1): no room. The branch p/br-1 never became usable. The next `pulumi up` replaces it.",
  "The branch late-frost-302709/br-1 no longer exists. Run `pulumi refresh`; the next `pulumi up` then creates a new one.",
  "The branch br-1 still exists: an earlier delete may have failed (DELETE /projects/p/branches/br-1 failed with HTTP 404: not there [request r-1]). Run the same command again.",
  "DELETE /projects/p/jwks/j-1 succeeded, but the change was not made: delete JWKS URL j-1. Run the same command again.",
  "GET /projects/p/branches/br-1/roles/app/reveal_password failed with HTTP 412: not stored [request r-1]. The project does not store passwords. Use the password that was returned when the role was created, or reset it.",
  'A branch with this name already exists: late-frost-302709/br-1 (POST /projects/p/branches failed with HTTP 409: it exists [request r-1]). If no other stack manages it and this run does not delete it, declare `adopt: "br-1"` to manage it here.',
];

export const bad: readonly (readonly [fault: string, text: string])[] = [
  ["does not say where", "It failed with HTTP 422: not now [request r-1]. Try again."],
  ["does not say where", "The branch br-2 no longer exists. Run `pulumi refresh`."],
  ["does not say what was last seen", "PATCH /projects/p/branches/br-1 did not work. Try again."],
  ["does not say what was last seen", "PATCH /projects/p failed with HTTP 422: [request r-1]. Try again."],
  ["does not say what was last seen", "Operation o-1 (create_branch) did not end well. Try again."],
  ["does not say which request was answered", "PATCH /projects/p failed with HTTP 422: not now. Try again."],
  ["does not say what to do", refused],
  ["does not say what to do", `${refused} The request conflicts with the object's state.`],
  ["does not say what to do", "POST /projects failed with HTTP 400: run `pulumi up`: try again [request r-1]."],
  ["does not say what to do", "GET /projects/p received no response: read ECONNRESET."],
  ["does not say what to do", timedOut],
  ["does not say what to do", "Operation o-1 (create_branch) ended with status error (failures: 1): no room."],
  ["speaks of passwords, which it is not about", `${refused} The project does not store passwords. Use another one.`],
  ["has a sentence twice", `${refused} Change that first. Change that first.`],
  ["says twice that it is to be done again", `${refused} Try again later. ${goesOn}`],
  ["says that nothing was done, and that something was", `${refused} Nothing was changed. ${goesOn}`],
  ["has a stack", `${refused} Try again.\n    at Object.<anonymous> (/home/me/index.js:3:9)`],
  ["is not whole sentences on one line", `${refused} Try\nagain.`],
  ["is not whole sentences on one line", `${refused}  Try again.`],
  ["is not whole sentences on one line", `${refused} Delete undefined first.`],
  ["is not whole sentences on one line", `${refused} Delete [object Object] first.`],
  ["ends without a full stop", `${refused} Try again`],
  ["has 1117 characters", `${refused} Try again${" and again".repeat(103)}.`],
  ["has a secret", `${refused} Use napi_secret.`],
];
