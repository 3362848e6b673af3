import { type HttpRequest, header } from '../../../protocol/http/message.js'
import { secretsEqual } from '../../../protocol/oauth/client-auth.js'
import type { ApiError } from '../shapes.js'
import { Refusal, refusal } from './refusal.js'
import type { EmulatorSettings } from './settings.js'

/** The kind of credentials in a request. */
export type Credentials = 'key' | 'token'

type Known = Pick<EmulatorSettings, 'key' | 'email' | 'token'>

// The formats of keys and tokens, before 2026 and since then.
const keyForm = /^(?:[0-9a-f]{37,45}|cfk_[A-Za-z0-9]{40,})$/
const emailForm = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const bearerForm = /^bearer +([A-Za-z0-9_-]{40,})$/i

function malformed(chain: readonly ApiError[]): Refusal {
  return new Refusal(400, [{ code: 6003, message: 'Invalid request headers', error_chain: chain }])
}

/** The code for an unknown token, on all routes except the route that verifies tokens. */
export const UNKNOWN_TOKEN = 9109

function bearer(authorization: string, { token }: Known): Credentials {
  const given = authorization.trim()
  // Equality is checked first because the token of a lab may have any form.
  if (secretsEqual(given.replace(/^bearer +/i, 'Bearer '), `Bearer ${token}`)) return 'token'
  if (bearerForm.test(given)) throw refusal(403, UNKNOWN_TOKEN, 'Invalid access token')
  throw malformed([{ code: 6111, message: 'Invalid format for Authorization header' }])
}

function keyAndEmail(key: string, email: string, known: Known): Credentials {
  const sameKey = secretsEqual(key, known.key)
  if (secretsEqual(email.toLowerCase(), known.email.toLowerCase()) && sameKey) return 'key'
  const chain = [
    ...(emailForm.test(email) ? [] : [{ code: 6102, message: 'Invalid format for X-Auth-Email header' }]),
    ...(sameKey || keyForm.test(key)
      ? []
      : [{ code: 6103, message: 'Invalid format for X-Auth-Key header' }]),
  ]
  if (chain.length > 0) throw malformed(chain)
  throw refusal(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email')
}

/**
 * Returns the credentials of a request. An Authorization header overrides X-Auth-Key and X-Auth-Email.
 * @throws Refusal
 */
export function credentialsOf(request: HttpRequest, known: Known): Credentials {
  const authorization = header(request, 'authorization')
  if (authorization !== undefined) return bearer(authorization, known)
  const key = header(request, 'x-auth-key')
  const email = header(request, 'x-auth-email')
  if (key === undefined && email === undefined) {
    throw refusal(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers')
  }
  return keyAndEmail((key ?? '').trim(), (email ?? '').trim(), known)
}
