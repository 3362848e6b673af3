import type { Header, HeaderList } from '../../http/message.js'
import { parseBasic } from '../../oauth/client-auth.js'
import { ADDRESS_HEADERS, HEADERS } from './members.js'
import type { Redactor } from './redactor.js'

/** Parameters of a challenge that are no secrets. */
const CHALLENGE = new Set(['realm', 'error', 'scope', 'acr_values', 'max_age', 'algs'])

/** Attributes of a cookie that stay. */
const ATTRIBUTE = /^\s*(expires|path|domain|samesite|secure|httponly|max-age|partitioned|priority)\b/i

function redactAuthorization(text: string, { value }: Redactor): string {
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(.+)$/s.exec(text) ?? []
  if (scheme === '') return value(text)
  const basic = parseBasic(text)?.at(-1)
  if (basic === undefined) return `${scheme} ${value(credentials)}`
  return `${scheme} ${Buffer.from(`${basic.clientId}:${value(basic.secret)}`).toString('base64')}`
}

function redactChallenge(text: string, { member, value }: Redactor): string {
  const named = text.replace(/([\w-]+)="((?:[^"\\]|\\.)*)"/g, (whole, name: string, quoted: string) => {
    if (CHALLENGE.has(name.toLowerCase())) return whole
    return `${name}="${member(name === 'resource_metadata' ? 'redirect_uri' : name, quoted)}"`
  })
  // A token of Negotiate and the like stands behind its scheme.
  return named.replace(/(?<=^|\s)[\w+/.-]{24,}=*(?=$|,)/g, token => value(token))
}

/** An attribute of a cookie. Servers that keep a login apart by its path write its secret there. */
function redactAttribute(text: string, { address }: Redactor): string {
  const [, start, path] = /^(\s*path\s*=)(.*)$/is.exec(text) ?? []
  return start === undefined || path === undefined ? text : `${start}${address(path)}`
}

/** One cookie that a server sets: name and attributes stay. */
function redactSetCookie(text: string, redactor: Redactor): string {
  const [first = '', ...attributes] = text.split(';')
  const mark = first.indexOf('=')
  return [
    `${first.slice(0, mark + 1)}${redactor.value(first.slice(mark + 1))}`,
    ...attributes.filter(each => ATTRIBUTE.test(each)).map(each => redactAttribute(each, redactor)),
  ].join(';')
}

function redactCookies(text: string, { value }: Redactor): string {
  return text
    .split(';')
    .map(pair => {
      const mark = pair.indexOf('=')
      return `${pair.slice(0, mark + 1)}${value(pair.slice(mark + 1))}`
    })
    .join(';')
}

function redactHeader(name: string, text: string, redactor: Redactor): string {
  switch (name) {
    case 'authorization':
    case 'proxy-authorization':
      return redactAuthorization(text, redactor)
    case 'cookie':
      return redactCookies(text, redactor)
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
  if (ADDRESS_HEADERS.has(name)) return redactor.address(text)
  return HEADERS.has(name) || /^sec-ch-ua/.test(name) ? text : redactor.value(text)
}

/** Headers with new values: names, and the values that say nothing about a person, stay. */
export function redactHeaders(headers: HeaderList, redactor: Redactor): Header[] {
  return headers.map(([name, text]) => [name, redactHeader(name.toLowerCase(), text, redactor)])
}
