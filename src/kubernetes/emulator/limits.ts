/** Longest body, in bytes; the real server's own limit. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024
