import type { FormPairs } from '../../../protocol/http/form.js'
import { type HttpRequest, isLocalRequest } from '../../../protocol/http/message.js'
import { sourceOf } from '../../../protocol/http/network.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import type { User } from '../model.js'
import type { BaseParts } from '../parts.js'
import { withOneTimeCode } from './authentication.js'
import type { CodeVerdict } from './one-time-codes.js'
import type { Session } from './sessions.js'

/** Fields of the login form, and of the buttons that log in as a user who is offered. Empty fields are absent. */
export const LOGIN_FIELDS = ['username', 'password', 'pick', 'csrf', 'cancel'] as const

/** The values of a submitted login form. */
export type LoginFields = { readonly [Name in (typeof LOGIN_FIELDS)[number]]?: string }

/** Returns the user that a submitted login form names: the chosen or the typed one. */
export const namedIn = ({ pick, username = '' }: LoginFields): string => pick ?? username

/** The result of a login. After `failed` the form is shown again with the message. */
type LoginVerdict =
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

/** The browser that a form came from. `cookie`: the secret that its forms are bound to, by which it is known again. */
interface FormSender {
  readonly cookie: string | undefined
  readonly address: string | undefined
}

/** Returns the users that the login page of a request offers to choose from. A user without a password cannot log in. */
export function offeredUsers(
  { settings, registry }: Pick<BaseParts, 'settings' | 'registry'>,
  { loginHint }: Pick<AcceptedRequest, 'loginHint'>,
  http: HttpRequest,
): readonly User[] {
  const { accountChooser } = settings
  if (!isLocalRequest(http)) return []
  if (accountChooser === undefined || (loginHint !== undefined && !accountChooser.hinted)) return []
  return accountChooser.users.filter(
    user =>
      registry.user(user.username) === user &&
      (user.password !== undefined || user.password_hash !== undefined),
  )
}

/**
 * Decides on a submitted login form: first the csrf value, then the Cancel button, then the password. Only wrong
 * passwords count toward the limit. Unknown users are limited like known ones. The choice of an offered user is a right
 * password, and any other choice a wrong one.
 */
export async function judgeLogin(
  { registry, csrf, checkPassword, loginLimit }: BaseParts,
  { pairs, offered = () => [] }: { readonly pairs: FormPairs; readonly offered?: () => readonly User[] },
  fields: LoginFields,
  { cookie, address }: FormSender,
): Promise<LoginVerdict> {
  if (!csrf.matches(fields.csrf, cookie, pairs)) return failures.csrf
  if (fields.cancel !== undefined) return { kind: 'cancelled' }
  const { pick, password = '' } = fields
  const username = namedIn(fields)
  const user = registry.user(username)
  const check = async () => {
    if (pick === undefined) return checkPassword(user, password)
    return user !== undefined && offered().includes(user) ? 'right' : 'wrong'
  }
  const attempt = { accounts: [username], source: sourceOf(address), device: cookie }
  const verdict = await loginLimit.check(attempt, check)
  if (verdict.kind === 'limited') return limited(verdict.retryAfterSeconds)
  if (verdict.kind === 'busy') return failures.busy
  return verdict.kind === 'right' && user !== undefined
    ? { kind: 'succeeded', username: user.username }
    : failures.credentials
}

export const SECOND_FACTOR_FIELDS = ['otp', 'second_factor', 'csrf', 'cancel'] as const

export type SecondFactorFields = { readonly [Name in (typeof SECOND_FACTOR_FIELDS)[number]]?: string }

/** The result of a submitted code. After `failed` the page is shown again with the message. */
type SecondFactorVerdict =
  /** `allowed`: the login page allowed the client before. */
  | { readonly kind: 'succeeded'; readonly session: Session; readonly allowed: boolean }
  | { readonly kind: 'cancelled' }
  /** Nobody waits for a code any more, so the login begins again. */
  | { readonly kind: 'ended' }
  | ({ readonly kind: 'failed'; readonly session: Session } & (
      | CodeProblem
      | (Omit<CodeProblem, 'reason'> & { readonly reason: 'csrf' })
    ))

const codeFailures = {
  csrf: {
    reason: 'csrf',
    message: 'This page is out of date, or belongs to another browser or request. Enter a code again.',
    rule: 'RFC 6749 §10.12',
    status: 403,
  },
  wrong: {
    reason: 'code',
    message: 'This code is wrong, or out of date.',
    rule: 'RFC 6238 §5.2',
    status: 200,
  },
  used: {
    reason: 'used',
    message: 'This code was used before. Wait for the next one, which is at most 30 seconds away.',
    rule: 'RFC 6238 §5.2',
    status: 200,
  },
  busy: {
    reason: 'busy',
    message: 'Too many people are logging in. Try again in a moment.',
    rule: 'RFC 9110 §15.6.4',
    status: 503,
  },
} as const

/** Returns the parameters that the csrf value of the page is bound to: the request, and the login that waits. */
export function boundToLogin(pending: string, pairs: FormPairs): FormPairs {
  return [['second factor of', pending], ...pairs]
}

/** The problem of a code. The page is shown again with the message. */
interface CodeProblem {
  readonly reason: 'code' | 'used' | 'busy' | 'limited'
  readonly message: string
  readonly rule: Citation
  readonly status: number
  readonly retryAfterSeconds?: number
}

/**
 * Returns the problem of a one-time code of a user; undefined for a right one. Wrong codes count toward the same limit as
 * wrong passwords (RFC 4226 §7.3): otherwise anyone with the password could try all codes.
 */
export async function judgeCode(
  { loginLimit, checkOneTimeCode }: Pick<BaseParts, 'loginLimit' | 'checkOneTimeCode'>,
  user: User,
  { otp, cookie, address }: FormSender & { readonly otp: string },
): Promise<CodeProblem | undefined> {
  const checked: CodeVerdict[] = []
  const { username } = user
  const attempt = { accounts: [username], source: sourceOf(address), device: cookie, proof: 'code' } as const
  const verdict = await loginLimit.check(attempt, async () => {
    const code = checkOneTimeCode(user, otp.replaceAll(' ', ''))
    checked.push(code)
    return code === 'right' ? 'right' : 'wrong'
  })
  if (verdict.kind === 'limited') return limitedCode(verdict.retryAfterSeconds)
  if (verdict.kind === 'busy') return codeFailures.busy
  if (verdict.kind === 'wrong') return codeFailures[checked.includes('used') ? 'used' : 'wrong']
  return undefined
}

/**
 * Decides on a submitted code.
 * @param present the session of the browser
 */
export async function judgeSecondFactor(
  { registry, csrf, loginLimit, checkOneTimeCode, pendingLogins }: BaseParts,
  { pairs, present }: { readonly pairs: FormPairs; readonly present: Session | undefined },
  fields: SecondFactorFields,
  { cookie, address }: FormSender,
): Promise<SecondFactorVerdict> {
  const { second_factor: pending = '', otp = '', cancel } = fields
  const login = pendingLogins.find(pending)
  if (login === undefined) return { kind: 'ended' }
  const { session, allowed } = login
  const failed = { kind: 'failed', session } as const
  if (!csrf.matches(fields.csrf, cookie, boundToLogin(pending, pairs))) return { ...failed, ...failures.csrf }
  if (cancel !== undefined) return { kind: 'cancelled' }
  const { username } = session
  const user = registry.user(username)
  // A session that ended while its code was awaited must not come back.
  if (user === undefined || (!allowed && present !== session)) return { kind: 'ended' }
  const problem = await judgeCode({ loginLimit, checkOneTimeCode }, user, { otp, cookie, address })
  if (problem !== undefined) return { ...failed, ...problem }
  if (!pendingLogins.take(pending)) return { kind: 'ended' }
  return { kind: 'succeeded', session: withOneTimeCode(session), allowed }
}

function limitedCode(retryAfterSeconds: number): CodeProblem {
  return {
    reason: 'limited',
    message: `Too many wrong passwords or codes. Try again in ${retryAfterSeconds} s.`,
    rule: 'RFC 6585 §4',
    status: 429,
    retryAfterSeconds,
  }
}
