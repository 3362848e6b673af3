/** The path prefix of the API. */
export const API_PREFIX = '/client/v4'

/** The longest body, in bytes. A zone file of 10,000 records fits. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024
