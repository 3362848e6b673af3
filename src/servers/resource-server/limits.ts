/** Longest request body, in body bytes. The HTTP adapter enforces the same limit while it reads the body. */
export const MAX_BODY_BYTES = 64 * 1024
