import type { HeaderList } from '../../../protocol/http/message.js'
import { headerValues } from '../../../protocol/http/message.js'

/** A cookie of HAR 1.2. */
export interface HarCookie {
  name: string
  value: string
  path?: string
  domain?: string
  /** ISO 8601 */
  expires?: string
  httpOnly?: boolean
  secure?: boolean
}

function pairOf(text: string): { name: string; value: string } {
  const mark = text.indexOf('=')
  if (mark < 0) return { name: '', value: text.trim() }
  return { name: text.slice(0, mark).trim(), value: text.slice(mark + 1).trim() }
}

/** The cookies of a request (RFC 6265 §4.2.1). */
export function requestCookies(headers: HeaderList): HarCookie[] {
  return headerValues({ headers }, 'cookie')
    .flatMap(line => line.split(';'))
    .filter(pair => pair.trim() !== '')
    .map(pairOf)
}

/** The cookies that a response sets (RFC 6265 §4.1.1). */
export function responseCookies(headers: HeaderList): HarCookie[] {
  return headerValues({ headers }, 'set-cookie').map(line => {
    const [first = '', ...attributes] = line.split(';')
    const cookie: HarCookie = { ...pairOf(first), httpOnly: false, secure: false }
    for (const attribute of attributes) {
      const [key = '', ...rest] = attribute.split('=')
      const value = rest.join('=').trim()
      switch (key.trim().toLowerCase()) {
        case 'path':
          cookie.path = value
          break
        case 'domain':
          cookie.domain = value
          break
        case 'expires': {
          const time = Date.parse(value)
          if (!Number.isNaN(time)) cookie.expires = new Date(time).toISOString()
          break
        }
        case 'httponly':
          cookie.httpOnly = true
          break
        case 'secure':
          cookie.secure = true
          break
      }
    }
    return cookie
  })
}
