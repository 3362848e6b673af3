import { OAuthError } from '../../../../protocol/oauth/oauth-error.js'
import { acceptsSubject } from '../../parameters/claims-request.js'
import type { AcceptedRequest } from './authorization-request.js'

/** Refuses a login of another user than the request names (OpenID Connect Core §3.1.2.1, §3.1.2.2). */
export function refuseOtherUser(
  { username, sub }: { readonly username: string /** As the client knows the user. */; readonly sub: string },
  { claims }: AcceptedRequest,
  hintedSubject: string | undefined,
): void {
  if (!acceptsSubject(sub, claims)) {
    throw new OAuthError('login_required', {
      description: 'another user than the sub of claims logged in',
      rule: 'OpenID Connect Core §3.1.2.2',
      evidence: `logged in ${username}`,
    })
  }
  if (hintedSubject === undefined || hintedSubject === username) return
  throw new OAuthError('login_required', {
    description: 'another user than the one of id_token_hint logged in',
    rule: 'OpenID Connect Core §3.1.2.2',
    evidence: `hinted ${hintedSubject}, logged in ${username}`,
  })
}
