/** Longest body, in bytes. The adapter enforces it too, for bodies that never end. */
export const MAX_BODY_BYTES = 64 * 1024
