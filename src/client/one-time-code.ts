/**
 * Returns the one-time code of a user for the page that asks for one; undefined when it is not known.
 * @param attempt 0 for the first code of a page, 1 after a refusal of that one, and so on
 */
export type OneTimeCodeOf = (username: string | undefined, attempt: number) => string | undefined
