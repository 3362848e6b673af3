import type { Csrf } from '../../../protocol/http/csrf.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import type { Registry } from '../stores/registry.js'
import type { GuessLimit } from './guess-limit.js'
import type { CheckPassword } from './passwords.js'

/** Fields of the login form. Empty fields are absent. */
export const LOGIN_FIELDS = ['username', 'password', 'csrf', 'cancel'] as const

/** The values of a submitted login form. */
export type LoginFields = { readonly [Name in (typeof LOGIN_FIELDS)[number]]?: string }

/** The result of a login. After `failed` the form is shown again with the message. */
export type LoginVerdict =
  | { readonly kind: 'succeeded'; readonly username: string }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'failed'
      readonly reason: 'credentials' | 'csrf' | 'busy' | 'limited'
      /** Text for the person. It is the same for known and unknown users. */
      readonly message: string
      readonly rule: Citation
      readonly status: number
      readonly retryAfterSeconds?: number
    }

const failures = {
  csrf: {
    kind: 'failed',
    reason: 'csrf',
    message: 'This page is out of date, or belongs to another browser or request. Log in again.',
    rule: 'RFC 6749 §10.12',
    status: 403,
  },
  credentials: {
    kind: 'failed',
    reason: 'credentials',
    message: 'Username or password is wrong.',
    rule: 'RFC 6749 §3.1',
    status: 200,
  },
  busy: {
    kind: 'failed',
    reason: 'busy',
    message: 'Too many people are logging in. Try again in a moment.',
    rule: 'RFC 9110 §15.6.4',
    status: 503,
  },
} as const satisfies Readonly<Record<string, LoginVerdict>>

function limited(retryAfterSeconds: number): LoginVerdict {
  return {
    kind: 'failed',
    reason: 'limited',
    message: `Too many wrong passwords. Try again in ${retryAfterSeconds} s.`,
    rule: 'RFC 6585 §4',
    status: 429,
    retryAfterSeconds,
  }
}

/** The parts that check a login. */
export interface LoginParts {
  readonly registry: Registry
  readonly csrf: Csrf
  readonly checkPassword: CheckPassword
  readonly loginLimit: GuessLimit
}

/** The browser that a form came from. */
export interface FormSender {
  /** The value of the login cookie. */
  readonly cookie: string | undefined
  readonly address: string | undefined
}

/**
 * Decides on a submitted login form: first the csrf value, then the Cancel button, then the password. Only wrong
 * passwords count toward the limit. Unknown users are limited like known ones.
 */
export async function judgeLogin(
  { registry, csrf, checkPassword, loginLimit }: LoginParts,
  request: Pick<AcceptedRequest, 'pairs'>,
  fields: LoginFields,
  { cookie, address }: FormSender,
): Promise<LoginVerdict> {
  if (!csrf.matches(fields.csrf, cookie, request.pairs)) return failures.csrf
  if (fields.cancel !== undefined) return { kind: 'cancelled' }
  const { username = '', password = '' } = fields
  const user = registry.user(username)
  const verdict = await loginLimit.check({ username, address }, () => checkPassword(user, password))
  if (verdict.kind === 'limited') return limited(verdict.retryAfterSeconds)
  if (verdict.kind === 'busy') return failures.busy
  return verdict.kind === 'right' && user !== undefined
    ? { kind: 'succeeded', username: user.username }
    : failures.credentials
}
