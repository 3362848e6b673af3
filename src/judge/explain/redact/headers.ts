import type { Header, HeaderList } from '../../../protocol/http/message.js'
import { parseBasic } from '../../../protocol/oauth/client-auth.js'
import { ADDRESS_HEADERS, HEADERS, NUMBERS } from './members.js'
import type { Redactor } from './redactor.js'

/** Parameters of a challenge that are no secrets. */
const CHALLENGE = new Set(['realm', 'error', 'scope', 'acr_values', 'max_age', 'algs'])

/** Attributes of a cookie that stay. */
const ATTRIBUTE = /^\s*(expires|path|domain|samesite|secure|httponly|max-age|partitioned|priority)\b/i

/** @param namesClient true where Basic names a client. Elsewhere it names a person */
function redactAuthorization(text: string, { value, name: kept }: Redactor, namesClient: boolean): string {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(.+)$/s.exec(text) ?? []
  if (scheme === '') return value(text)
  const basic = parseBasic(text)?.at(-1)
  if (basic === undefined) return `${scheme} ${value(credentials)}`
  const name = namesClient ? kept(basic.clientId) : value(basic.clientId)
  return `${scheme} ${Buffer.from(`${name}:${value(basic.secret)}`).toString('base64')}`
}

function redactChallenge(text: string, redactor: Redactor): string {
  const { member, value, prose } = redactor
  const replaced = (name: string, old: string): string =>
    CHALLENGE.has(name.toLowerCase())
      ? prose(old)
      : member(name === 'resource_metadata' ? 'redirect_uri' : name, old)
  // A token of Negotiate and the like stands behind its scheme (token68, RFC 9110 §11.2).
  const [, scheme, token] = /^(\S+)\s+([\w~+/.-]+=*)\s*$/.exec(text) ?? []
  if (scheme !== undefined && token !== undefined) return `${scheme} ${value(token)}`
  const kept = text
    .replace(
      /([\w-]{1,64})(\s{0,9}=\s{0,9})(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/g,
      (_, name: string, mark: string, quoted: string | undefined, bare: string) =>
        quoted === undefined
          ? `${name}${mark}${replaced(name, bare)}`
          : `${name}${mark}"${replaced(name, quoted)}"`,
    )
    .replace(/(?<=^|\s)[\w+/.-]{24,}=*(?=$|,)/g, each => value(each))
  // A value with a quotation mark in it is no quoted string.
  return redactor.without(kept)
}

/** Name and value of a cookie. Some programs write what belongs to one login into the name. */
function redactCookie(pair: string, { value, address, name: kept }: Redactor): string {
  const mark = pair.indexOf('=')
  const name = pair
    .slice(0, Math.max(0, mark))
    .replace(/\S(?:.*\S)?/s, each => (kept(each) === each ? address(each) : kept(each)))
  return `${name}${mark < 0 ? '' : '='}${value(pair.slice(mark + 1))}`
}

/** An attribute of a cookie. Servers that keep a login apart by its path write its secret there. */
function redactAttribute(text: string, { address }: Redactor): string {
  const [, start, path] = /^(\s*path\s*=)(.*)$/is.exec(text) ?? []
  return start === undefined || path === undefined ? text : `${start}${address(path)}`
}

/** One cookie that a server sets: name and attributes stay. */
function redactSetCookie(text: string, redactor: Redactor): string {
  const [first = '', ...attributes] = text.split(';')
  return [
    redactCookie(first, redactor),
    ...attributes.filter(each => ATTRIBUTE.test(each)).map(each => redactAttribute(each, redactor)),
  ].join(';')
}

function redactHeader(name: string, text: string, redactor: Redactor, isPicked: boolean): string {
  switch (name) {
    case 'authorization':
      return redactAuthorization(text, redactor, isPicked)
    case 'proxy-authorization':
      return redactAuthorization(text, redactor, false)
    case 'cookie':
      return text
        .split(';')
        .map(each => redactCookie(each, redactor))
        .join(';')
    case 'set-cookie':
      // Firefox joins the cookies of an answer with line breaks.
      return text
        .split('\n')
        .map(each => redactSetCookie(each, redactor))
        .join('\n')
    case 'www-authenticate':
    case 'proxy-authenticate':
      return redactChallenge(text, redactor)
  }
  if (name === 'content-type')
    return redactor
      .prose(text)
      .replace(
        /(;\s*(?:file)?name\s*=\s*)("[^"]*"|[^;]+)/gi,
        (_, mark: string, given: string) => `${mark}${redactor.value(given)}`,
      )
  if (ADDRESS_HEADERS.has(name)) return redactor.address(text)
  if (name === 'host') return redactor.host(text)
  if (NUMBERS.has(name) && /^\d{1,12}$/.test(text)) return text
  return HEADERS.has(name) || /^sec-ch-ua/.test(name) ? redactor.prose(text) : redactor.value(text)
}

/**
 * Headers with new values: names, and the values that say nothing about a person, stay.
 * @param isPicked true for an exchange of OAuth
 */
export function redactHeaders(headers: HeaderList, redactor: Redactor, isPicked: boolean): Header[] {
  return headers.map(([name, text]) => [
    redactor.name(name),
    redactHeader(name.toLowerCase(), text, redactor, isPicked),
  ])
}
