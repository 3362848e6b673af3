import { parsedUrl } from './address.js'
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
