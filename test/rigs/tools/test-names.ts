/** The names in a pattern that Stryker joined from them: `escaped name|escaped name`. */
function namesOf(pattern: RegExp): ReadonlySet<string> {
  const escaped = pattern.source.match(/(?:\\.|[^\\|])+/gs) ?? []
  const plain = (_: string, character: string) => (character === 'n' ? '\n' : character)
  return new Set(escaped.map(name => name.replace(/\\(.)/gs, plain)))
}

/**
 * Returns a pattern for `String.match` that matches exactly the names in the pattern of Stryker. V8 refuses to run a
 * regular expression with several hundred names ("Regular expression too large").
 */
export function exactNames(pattern: RegExp): RegExp {
  const names = namesOf(pattern)
  const matcher = { [Symbol.match]: (name: string) => (names.has(name.trim()) ? [name] : null) }
  return matcher as unknown as RegExp
}
