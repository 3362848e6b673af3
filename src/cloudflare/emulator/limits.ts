/** The path prefix of the API. */
export const API_PREFIX = '/client/v4'

/** Longest body, in bytes: a zone file of 10,000 records. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024
