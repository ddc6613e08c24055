/** An expected failure, shown as its message alone, without a stack. */
export class Failure extends Error {
  /**
   * @param {string} message What is wrong and what to do about it.
   * @param {string} [detail] Output of the program that failed, shown above the message.
   */
  constructor(message, detail = "") {
    super(message);
    this.name = "Failure";
    this.detail = detail;
  }
}

/** The user (or the system) asked this process to stop. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Interrupted (${signal}).`);
    this.name = "Interrupted";
    this.signal = signal;
  }
}
