import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { FormPairs } from './form.js'
import type { HeaderList } from './message.js'

/** The secret that ties forms to a browser. */
export interface BrowserSecret {
  readonly secret: string
  /** Sets the cookie of a new secret. Empty for a known one. */
  readonly headers: HeaderList
}

/** Makes and checks the csrf value of forms. Nothing is stored. */
export interface Csrf {
  readonly cookieName: string
  /** Returns the secret in the browser's cookie, or a new secret. */
  browser(cookie: string | undefined): BrowserSecret
  /** Returns a value for one page. */
  value(browserSecret: string, request: FormPairs): string
  /** True when `value` was made for this browser and this request. */
  matches(value: string | undefined, cookie: string | undefined, request: FormPairs): boolean
}

/** The form in which a page carries a csrf value. */
export interface CsrfForm {
  /** Writes the MAC that ties the form to its browser and request. */
  write(mac: Uint8Array, random: (length: number) => Uint8Array): string
  /** Reads the MAC of a sent value; undefined for a value that was never written so. */
  read(value: string): Uint8Array | undefined
}

/** Lax: see `createCsrf`. The cookie stays for 30 days, because a server may know a browser again by it. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=2592000'

const SECRET = /^[A-Za-z0-9_-]{43}$/
const MASKED_VALUE = /^[A-Za-z0-9_-]{86}$/

/** XORs two texts of bytes. `mask` is as long as `of`. */
function masked(of: Uint8Array, mask: Uint8Array): Uint8Array {
  const out = new Uint8Array(of.length)
  for (let i = 0; i < of.length; i++) out[i] = of[i]! ^ mask[i]!
  return out
}

/** A mask and the masked MAC: each page has another value, so its compressed length reveals nothing (BREACH). */
export const MASKED: CsrfForm = {
  write(mac, random) {
    const mask = random(32)
    return Buffer.concat([mask, masked(mac, mask)]).toString('base64url')
  },
  read(value) {
    if (!MASKED_VALUE.test(value)) return undefined
    const raw = Buffer.from(value, 'base64url')
    return masked(raw.subarray(32), raw.subarray(0, 32))
  },
}

/**
 * Makes a Csrf whose key lives as long as the server.
 *
 * SameSite of the cookie is Lax and not Strict: with Strict, a visit through a link on another site would come without the
 * cookie and get a new one, and forms open in other tabs would fail. A POST from another site carries neither kind.
 * @param cookieName the cookie that ties a form to the browser that it was shown in
 */
export function createCsrf(
  cookieName: string,
  random: (length: number) => Uint8Array,
  form: CsrfForm = MASKED,
): Csrf {
  const key = createSecretKey(random(32))
  const mac = (browserSecret: string, request: FormPairs) =>
    createHmac('sha256', key)
      .update(JSON.stringify([browserSecret, request]))
      .digest()
  return {
    cookieName,
    browser(cookie) {
      if (cookie !== undefined && SECRET.test(cookie)) return { secret: cookie, headers: [] }
      const secret = Buffer.from(random(32)).toString('base64url')
      const setCookie = `${cookieName}=${secret}; ${ATTRIBUTES}`
      return { secret, headers: [['set-cookie', setCookie]] }
    },
    value: (browserSecret, request) => form.write(mac(browserSecret, request), random),
    matches(value, cookie, request) {
      if (cookie === undefined || !SECRET.test(cookie) || value === undefined) return false
      const sent = form.read(value)
      return sent !== undefined && timingSafeEqual(sent, mac(cookie, request))
    },
  }
}
