/** Names that large servers give to Bearer tokens. Slack names who holds the token, and takes it as Bearer. */
const BEARER_NAMES: Readonly<Record<string, string>> = { bot: 'Slack', user: 'Slack' }

/** Returns the server that calls a Bearer token by this name; undefined for every other token type. */
export function serverWithBearerName(tokenType: string): string | undefined {
  return Object.hasOwn(BEARER_NAMES, tokenType) ? BEARER_NAMES[tokenType] : undefined
}
