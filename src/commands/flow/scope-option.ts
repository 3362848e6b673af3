/** Scope tokens, repeated, with spaces or with commas between. */
export function scopes(text: string, before = ''): string {
  const tokens = `${before} ${text}`.split(/[\s,]+/).filter(token => token !== '')
  return [...new Set(tokens)].join(' ')
}
