/** A host as a URL writes it: an IPv6 address in brackets (RFC 3986 §3.2.2). @param host an IP address without brackets, or a name */
export const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

const ascii = /^[\0-\x7f]*$/

/** Parses an absolute address, or one that is relative to `base`. Returns undefined for text that is no address. */
export function parsedUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/**
 * True for an address that can be parsed. Node 20 reads the letters of Latin-1 wrongly in `URL.canParse` once V8 has
 * optimized the call: a server that has run for a while would refuse `https://bücher.example/`.
 */
export function isUrl(text: string, base?: string | URL): boolean {
  const from = base === undefined ? undefined : String(base)
  return ascii.test(text + (from ?? '')) ? URL.canParse(text, from) : parsedUrl(text, from) !== undefined
}

/** The parts of an address that a person typed. */
interface Address {
  /** Origin as `URL` writes it, then path and query byte for byte, without user, password and fragment. */
  readonly url: string
  /** Value of Authorization for the user and the password of the address (RFC 7617 §2). Absent without them. */
  readonly authorization?: string
}

/** Decodes percent-encoding. Returns text with a malformed part unchanged. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Reads an http or https address. Returns undefined for any other text. */
export function readAddress(text: string): Address | undefined {
  const parsed = parsedUrl(text)
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined
  const rest = /^[a-z]+:\/\/[^/?#]*([^#]*)/i.exec(text)?.[1] ?? '/'
  const url = parsed.origin + (rest.startsWith('/') ? rest : `/${rest}`)
  const { username, password } = parsed
  if (username + password === '') return { url }
  const pair = `${percentDecoded(username)}:${percentDecoded(password)}`
  return { url, authorization: `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` }
}

/** Parses the base URL of a server: http or https, without user, password, query and fragment. Undefined for any other text. */
export function baseUrl(text: string): URL | undefined {
  const url = parsedUrl(text)
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined
  return url.username + url.password + url.search + url.hash === '' ? url : undefined
}

/** A URL in quotes for a message, without the parts that may hold a secret: the text before an `@`, query and fragment. */
export function quotedUrl(text: string): string {
  return JSON.stringify(text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1…@').replace(/([?#]).*$/s, '$1…'))
}
