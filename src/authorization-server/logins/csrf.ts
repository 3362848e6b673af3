import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { FormPairs } from '../../http/form.js'

/**
 * The cookie that ties a login form to the browser it was shown in. Lax, not Strict: a link on another site leads
 * here, and with Strict each such visit would come without the cookie, get a new one and so break the forms that
 * stand open in other tabs. A POST from another site carries neither.
 */
const COOKIE_NAME = '__Host-oauth-lab-login'

/** Makes and checks the csrf value of login forms. Nothing is stored. */
export interface Csrf {
  readonly cookieName: string
  /** The browser's secret: the one its cookie holds, else a new one. */
  browser(cookie: string | undefined): { readonly secret: string; readonly setCookie: string | undefined }
  /** A value for one page: another on every page, so that compressed answers reveal nothing (BREACH). */
  value(browserSecret: string, request: FormPairs): string
  /** True when `value` was made for this browser and this authorization request. */
  matches(value: string | undefined, cookie: string | undefined, request: FormPairs): boolean
}

const SECRET = /^[A-Za-z0-9_-]{43}$/
const VALUE = /^[A-Za-z0-9_-]{86}$/

/** @param mask as long as `of` */
function masked(of: Uint8Array, mask: Uint8Array): Uint8Array {
  const out = new Uint8Array(of.length)
  for (let i = 0; i < of.length; i++) out[i] = of[i]! ^ mask[i]!
  return out
}

/** @param random the server's source of randomness */
export function createCsrf(random: (length: number) => Uint8Array): Csrf {
  const key = createSecretKey(random(32))
  const mac = (browserSecret: string, request: FormPairs) =>
    createHmac('sha256', key)
      .update(JSON.stringify([browserSecret, request]))
      .digest()
  return {
    cookieName: COOKIE_NAME,
    browser(cookie) {
      if (cookie !== undefined && SECRET.test(cookie)) return { secret: cookie, setCookie: undefined }
      const secret = Buffer.from(random(32)).toString('base64url')
      return { secret, setCookie: `${COOKIE_NAME}=${secret}; Path=/; Secure; HttpOnly; SameSite=Lax` }
    },
    value(browserSecret, request) {
      const mask = random(32)
      return Buffer.concat([mask, masked(mac(browserSecret, request), mask)]).toString('base64url')
    },
    matches(value, cookie, request) {
      if (cookie === undefined || !SECRET.test(cookie) || value === undefined || !VALUE.test(value))
        return false
      const raw = Buffer.from(value, 'base64url')
      return timingSafeEqual(masked(raw.subarray(32), raw.subarray(0, 32)), mac(cookie, request))
    },
  }
}
