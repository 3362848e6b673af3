/** The word of `-o` for the access token alone. A file of that name is `./token`. */
export const BARE_TOKEN = 'token'

/** The meaning of `-o`, for help. */
export const OUTPUT_MEANING =
  'write the result into a file; token prints the bare access token (a file of that name: ./token)'
