import { fieldsOf } from '../../../protocol/http/form.js'
import type { Finding as AnyFinding, Severity } from '../../../protocol/rules/finding.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { isSecretName } from '../../../protocol/safe-output/secret-names.js'
import { defined } from '../../../protocol/values.js'
import { createExplainer } from '../explain.js'
import type { Explanation } from '../explanation.js'
import { adviceOn, knownError } from '../known-errors.js'
import type { Recorded } from '../recorded.js'
import { quoted, type ServerWords } from '../words.js'

/** Meanings of the parameters and members of OAuth messages, for a person who pasted one. */
const MEANINGS: Readonly<Record<string, string>> = {
  access_token: 'the access token: a key to the API for anybody who has it',
  acr_values: 'how strong the login has to be',
  active: 'whether the server accepts the token now',
  audience: 'for whom the token is',
  client_assertion: 'a signed statement in place of a secret',
  client_id: 'the client that asks',
  client_secret: 'the secret of the client: it must not be in an address',
  code: 'the authorization code: good once, for a minute or ten',
  code_challenge: 'PKCE: a digest of the code_verifier, which the token request has to show',
  code_challenge_method: 'how the challenge is made; S256',
  code_verifier: 'PKCE: the secret behind the code_challenge',
  device_code: 'what the device polls with',
  display: 'how the page is shown',
  error: 'the code of the error',
  error_description: 'the server’s words for developers',
  error_uri: 'a page about the error',
  expires_in: 'lifetime of the access token in seconds',
  grant_type: 'what is given for the token',
  id_token: 'the ID token: who logged in, for the client alone',
  id_token_hint: 'an earlier ID token of the person',
  interval: 'seconds between two polls',
  iss: 'the issuer of this answer (RFC 9207)',
  issuer: 'the name of the server: tokens have it as iss',
  login_hint: 'who will log in',
  max_age: 'how old the login may be, in seconds',
  nonce: 'binds the ID token to this request',
  post_logout_redirect_uri: 'where the browser goes after the logout',
  prompt: 'whether the server may or must ask the person',
  redirect_uri: 'where the answer goes: registered, to the letter',
  refresh_token: 'for new access tokens; keep it as a password',
  request: 'the request as a signed object (RFC 9101)',
  request_uri: 'a reference to the request (RFC 9126)',
  resource: 'the API that the token is for (RFC 8707)',
  response: 'the answer as a signed JWT (JARM)',
  response_mode: 'how the answer comes: query, fragment, form_post',
  response_type: 'what is asked for: code',
  scope: 'what is asked for, or was granted, separated by spaces',
  session_state: 'the state of the session, for scripts',
  state: 'binds the answer to the browser that asked',
  token_type: 'how the token is presented: Bearer or DPoP',
  ui_locales: 'languages of the page',
  user_code: 'what the person types at the server',
  verification_uri: 'where the person types it',
}

/** Returns the meaning of a parameter; empty for one of a server's own. */
const meaningOf = (name: string): string => (Object.hasOwn(MEANINGS, name) ? MEANINGS[name]! : '')

/** A value of a pasted text, with its meaning. */
export interface FragmentPart {
  readonly name: string
  readonly value: string
  readonly meaning: string
  readonly isSecret: boolean
}

/** A mistake in a pasted text. */
export type FragmentFinding = AnyFinding & { readonly words?: string }

/** A text that somebody pasted, recognised and explained. Nothing in it was verified. */
export interface Fragment {
  /** Stable, in snake_case: `callback`, `token_error`. */
  readonly what: string
  /** The same for people: `the callback of a login, as an address`. */
  readonly title: string
  readonly parts: readonly FragmentPart[]
  readonly findings: readonly FragmentFinding[]
  /** The likeliest causes of an error, the most frequent first. */
  readonly causes?: readonly string[]
  /** The next command. */
  readonly next?: string
  /** Other pieces that stand in the same text. */
  readonly more?: readonly Fragment[]
  /** The exchanges of a text that holds some, explained as a recording. */
  readonly explanation?: Explanation
}

/** Reads a text in one form. Undefined: it is in another one. */
export type Reader = (text: string) => Fragment | undefined | Promise<Fragment | undefined>

/** Makes a part. The names of secrets are known. */
export const part = (name: string, value: unknown, meaning = meaningOf(name)): FragmentPart => ({
  name,
  value: typeof value === 'string' ? value : JSON.stringify(value),
  meaning,
  // Programs number their errors.
  isSecret: isSecretName(name) && !(name === 'code' && typeof value === 'number'),
})

/** Makes a finding about a text. */
export const about = (
  severity: Severity,
  name: string,
  rule: Citation,
  text: string,
  next?: string,
  words?: string,
): FragmentFinding => defined({ severity, name, rule, text, next, words })

/** Returns the findings that hold; the others are false. */
export const present = (...findings: readonly (FragmentFinding | false)[]): FragmentFinding[] =>
  findings.filter(each => each !== false)

/** Explains exchanges that were read out of a text. */
export function explainExchanges(exchanges: readonly Recorded[]): Promise<Explanation> {
  const explainer = createExplainer()
  for (const each of exchanges) explainer.add(each)
  return explainer.end({})
}

/** A text, short enough to be quoted. The innermost error of a line stands at its end. */
const shortened = (said: string): string =>
  said.length <= 360 ? said : `${said.slice(0, 140)} … ${said.slice(-200)}`

/** Explains an error by its code and its sentence. */
export function explainError(
  words: ServerWords,
  { what, title, parts }: Pick<Fragment, 'what' | 'title' | 'parts'>,
): Fragment {
  const named = knownError(words)
  const said = shortened(quoted(words))
  const sent = fieldsOf(parts.map(({ name, value }) => [name, value] as const))
  const next = adviceOn(words, { fields: sent })
  const ofServer = what !== 'error_message' && !named?.where.startsWith('a message of')
  const finding = about(
    'fault',
    what.replaceAll('_', '-'),
    named?.rule ?? 'RFC 6749 §5.2',
    `${ofServer ? 'the server said' : 'it says'} ${said}`,
    next,
    said,
  )
  return defined({ what, title, parts, findings: [finding], causes: named?.causes })
}
