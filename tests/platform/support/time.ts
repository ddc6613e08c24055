/** Milliseconds. */
export const second = 1000;
export const hour = 3600 * second;
export const day = 24 * hour;
