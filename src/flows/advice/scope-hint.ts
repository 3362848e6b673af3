/** Characters of scope names that a shell leaves alone between single quotes, and that a person can read (RFC 6749 §3.3). */
const PLAIN = /^[\w:./~+*@#%&=,;!?()[\]{}|^$<>-]+$/

/** The next move after `insufficient_scope`: a request for the scope that the challenge names (RFC 6750 §3). */
export function scopeHints(scope: string | undefined): readonly string[] | undefined {
  const isPlain = scope?.split(' ').every(each => PLAIN.test(each))
  return isPlain ? [`ask for the scope it needs: --scope '${scope}'`] : undefined
}
