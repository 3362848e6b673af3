import { unknownName } from '../../../protocol/events.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { AuthenticatedClient, User } from '../model.js'
import { type HintParts, readIdTokenHint } from '../tokens/id-token-hint.js'

/** The parameters that name a person. A request has exactly one of them. */
export const HINTS = ['login_hint', 'id_token_hint', 'login_hint_token'] as const

/** The hints of a request. */
export type Hints = { readonly [Name in (typeof HINTS)[number]]?: string }

/** The parts that find a person. */
export interface HintedUserParts extends HintParts {
  readonly users: readonly User[]
}

const RULE = 'OpenID Connect CIBA Core §7.1'

/**
 * Returns the name of the person whom a request wants. A login_hint is a username, or the e-mail address of one user.
 * @throws OAuthError `unknown_user_id`, or `invalid_request` for no hint, several hints, and a hint that cannot be read
 */
export async function hintedUser(
  hints: Hints,
  client: AuthenticatedClient,
  parts: HintedUserParts,
): Promise<string> {
  const sent = HINTS.filter(name => hints[name] !== undefined)
  if (sent.length !== 1) {
    const problem = sent.length === 0 ? 'no hint names the person' : `${sent.join(' and ')} are both sent`
    throw invalid(`${problem}; send exactly one of ${HINTS.join(', ')}`)
  }
  const { login_hint: loginHint, id_token_hint: idTokenHint } = hints
  if (loginHint !== undefined) return userOf(loginHint, parts)
  if (idTokenHint !== undefined) {
    const hinted = await readIdTokenHint(idTokenHint, parts)
    if (hinted?.audience.includes(client.client_id) !== true) {
      throw invalid('id_token_hint is no id_token that this server issued to this client')
    }
    return userOf(hinted.subject, parts)
  }
  throw invalid('login_hint_token is not supported; send login_hint or id_token_hint')
}

function userOf(hint: string, { registry, users }: HintedUserParts): string {
  const named = registry.user(hint)
  if (named !== undefined) return named.username
  const [byMail, ...others] = users.filter(({ claims }) => claims.email === hint)
  const found = byMail && others.length === 0 ? registry.user(byMail.username) : undefined
  if (found !== undefined) return found.username
  throw new OAuthError('unknown_user_id', {
    description: 'the hint names no user of this server',
    rule: 'OpenID Connect CIBA Core §13',
    evidence: unknownName(hint),
  })
}

const invalid = (description: string) => new OAuthError('invalid_request', { description, rule: RULE })
