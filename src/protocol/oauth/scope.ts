// scope-token = 1*( %x21 / %x23-5B / %x5D-7E )   RFC 6749 §3.3
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** Returns the tokens of a scope value, without duplicates, in order; undefined for a malformed value (RFC 6749 §3.3). */
export function parseScope(value: string): string[] | undefined {
  const tokens = value.split(' ').filter(token => token !== '')
  return tokens.every(token => scopeToken.test(token)) ? [...new Set(tokens)] : undefined
}

/** Writes a scope value. */
export function formatScope(tokens: readonly string[]): string {
  return tokens.join(' ')
}

/** True when two lists have the same tokens, in any order. */
export function sameScope(a: readonly string[], b: readonly string[]): boolean {
  return a.every(token => b.includes(token)) && b.every(token => a.includes(token))
}
