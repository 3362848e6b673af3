/** The parts of an address that a person typed. */
export interface Address {
  /** Origin as `URL` writes it, then path and query byte for byte, without user, password and fragment. */
  readonly url: string
  /** Value of Authorization for the user and the password of the address (RFC 7617 §2). Absent without them. */
  readonly authorization?: string
}

/** Decodes percent-encoding. Returns text with a malformed part unchanged. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads an http or https address. Returns undefined for any other text. */
export function readAddress(text: string): Address | undefined {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined
  const rest = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(text)?.[1] ?? '/'
  const url = parsed.origin + (rest.startsWith('/') ? rest : `/${rest}`)
  const { username, password } = parsed
  if (username + password === '') return { url }
  const pair = `${decoded(username)}:${decoded(password)}`
  return { url, authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }
}
