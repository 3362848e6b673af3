import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { acceptsSubject, type ClaimsRequest } from '../parameters/claims-request.js'
import type { LoginDemands } from '../parameters/login-demands.js'
import type { Session } from './sessions.js'

/** The next step for a request: use the session, show the login form, or refuse. */
export type SignOn =
  | { readonly kind: 'resume'; readonly session: Session }
  /** `username` is filled into the form. */
  | { readonly kind: 'ask'; readonly username: string | undefined }
  | { readonly kind: 'refuse'; readonly error: OAuthError<'login_required'> }

/** The person that a request wants. */
export interface WantedPerson extends LoginDemands {
  readonly loginHint: string | undefined
  /** Its claims `sub` may name the person (OpenID Connect Core §5.5.1). */
  readonly claims: ClaimsRequest
}

/** The person who uses the browser, as far as the server knows. */
export interface PresentPerson {
  readonly session: Session | undefined
  /** The `sub` by which the client knows the user of the session. */
  readonly sub: string | undefined
  /** The user of a verified id_token_hint. */
  readonly hintedSubject: string | undefined
  readonly now: number
}

/** Decides whether a session answers a request (OpenID Connect Core §3.1.2.1, §3.1.2.3). */
export function decideSignOn(
  { prompts, maxAge, loginHint, claims }: WantedPerson,
  { session, sub, hintedSubject, now }: PresentPerson,
): SignOn {
  const rule = 'OpenID Connect Core §3.1.2.6'
  const young = session !== undefined && (maxAge === undefined || now - session.loginAt < maxAge)
  const hinted =
    (hintedSubject === undefined || hintedSubject === session?.username) &&
    (sub === undefined || acceptsSubject(sub, claims))
  const asks = prompts.includes('login') || prompts.includes('select_account')
  if (young && hinted && !asks) return { kind: 'resume', session }
  if (prompts.includes('none')) {
    const description = young
      ? 'prompt is none, and another user than the wanted one is logged in'
      : session === undefined
        ? 'prompt is none, and nobody is logged in'
        : 'prompt is none, and the login is older than max_age'
    return { kind: 'refuse', error: new OAuthError('login_required', { description, rule }) }
  }
  const known = prompts.includes('select_account') ? undefined : session?.username
  return { kind: 'ask', username: loginHint ?? hintedSubject ?? known }
}
