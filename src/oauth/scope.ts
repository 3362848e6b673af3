// scope-token = 1*( %x21 / %x23-5B / %x5D-7E )   RFC 6749 §3.3
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/

/** The tokens of a scope value, each once, in order; undefined where the value is malformed (RFC 6749 §3.3). */
export function parseScope(value: string): string[] | undefined {
  const tokens = value.split(' ').filter(token => token !== '')
  return tokens.every(token => scopeToken.test(token)) ? [...new Set(tokens)] : undefined
}

/** A scope value from its tokens. */
export function formatScope(tokens: readonly string[]): string {
  return tokens.join(' ')
}

/** True when two lists hold the same tokens; order does not matter. */
export function sameScope(a: readonly string[], b: readonly string[]): boolean {
  return a.every(token => b.includes(token)) && b.every(token => a.includes(token))
}
