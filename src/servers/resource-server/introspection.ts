import type { FormPairs } from '../../protocol/http/form.js'
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  mediaType,
  text,
} from '../../protocol/http/message.js'
import { type Check, check, shown } from '../../protocol/oauth/check.js'
import { basicHeader } from '../../protocol/oauth/client-auth.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { TokenFormatError } from '../../protocol/tokens/decode.js'
import { verifyJwt } from '../../protocol/tokens/verify.js'
import { isJsonObject } from '../../protocol/values.js'
import { invalidToken, refused } from './claim-checks.js'
import type { Context } from './events.js'
import type { KeySource } from './key-source.js'
import type { IntrospectionSettings, PostForm } from './settings.js'

/** Media type of an introspection response in a JWT (RFC 9701 §4). */
const JWT_TYPE = 'application/token-introspection+jwt'

const RULE = 'RFC 7662 §2.2'

/** Time limit of an introspection, in milliseconds. */
const TIME = 10_000

/** The check of a token that this server verified without a word to its issuer. */
export const NOT_ASKED: Check = check(
  'revocation',
  true,
  'RFC 7009 §3',
  'not asked: a revoked token is accepted until it expires',
)

/** The parts that introspection uses. */
export interface IntrospectionParts {
  readonly settings: IntrospectionSettings
  readonly issuer: string
  readonly keys: KeySource
  readonly postForm: PostForm
  readonly now: () => number
}

/**
 * Asks the authorization server about a token that passed all other checks.
 * @returns the check `revocation`
 * @throws OAuthError `invalid_token` for a token that is not active, `temporarily_unavailable` without an answer
 */
export type Introspect = (token: string, request: HttpRequest, context: Context) => Promise<Check>

/** Makes the introspection of tokens (RFC 7662). The response may be a signed JWT (RFC 9701), which is asked for. */
export function createIntrospection(parts: IntrospectionParts): Introspect {
  const { settings, issuer, keys, postForm, now } = parts
  const { endpoint, clientId, clientSecret } = settings
  const headers: HeaderList = [
    basicHeader(clientId, clientSecret),
    ['content-type', 'application/x-www-form-urlencoded'],
    ['accept', `${JWT_TYPE}, application/json;q=0.9`],
  ]

  /** Verifies an introspection response in a JWT (RFC 9701 §5). It has no expiry of its own. */
  async function signedMembers(jwt: string, request: HttpRequest, context: Context): Promise<unknown> {
    const expected = { issuer, audience: clientId, now: now() }
    const { keys: known, fresh } = await keys.current(request, context)
    const first = await verifyJwt(jwt, known, expected)
    const isSigned = first.checks.some(each => each.name === 'signature' && each.ok)
    const verdict =
      isSigned || fresh
        ? first
        : await verifyJwt(jwt, await keys.newerThan(known, request, context), expected)
    const broken = verdict.checks.find(({ name, ok }) => !ok && name !== 'exp')
    if (broken !== undefined) throw unavailable(`its JWT is refused: ${broken.name}`, 'RFC 9701 §5')
    const { typ } = verdict.token.header
    if (typ !== 'token-introspection+jwt')
      throw unavailable(`its JWT has the typ ${shown(typ)}`, 'RFC 9701 §5')
    return verdict.token.claims.token_introspection
  }

  async function membersOf(
    response: HttpResponse,
    request: HttpRequest,
    context: Context,
  ): Promise<{ readonly members: unknown; readonly signed: boolean }> {
    const { status, body } = response
    if (status !== 200) throw unavailable(`it answered ${status}`, 'RFC 7662 §2.3')
    const content = text(body)
    try {
      if (mediaType(response) !== JWT_TYPE) return { members: JSON.parse(content), signed: false }
      return { members: await signedMembers(content, request, context), signed: true }
    } catch (error) {
      if (error instanceof OAuthError) throw error
      if (error instanceof SyntaxError || error instanceof TokenFormatError) {
        throw unavailable('its response cannot be read', RULE)
      }
      throw error
    }
  }

  async function ask(token: string, cause: number | undefined): Promise<HttpResponse> {
    const form: FormPairs = [
      ['token', token],
      ['token_type_hint', 'access_token'],
    ]
    try {
      return await postForm(endpoint, form, { headers, signal: AbortSignal.timeout(TIME), cause })
    } catch (error) {
      throw unavailable(error instanceof Error ? error.message : 'there is no answer', 'RFC 7662 §2.1')
    }
  }

  return async (token, request, context) => {
    const { members, signed } = await membersOf(await ask(token, request.id), request, context)
    if (!isJsonObject(members) || typeof members.active !== 'boolean') {
      throw unavailable('its response has no member active', RULE)
    }
    if (!members.active)
      throw invalidToken('the authorization server says that the token is not active', RULE)
    return check('revocation', true, RULE, signed ? 'asked: active, in a signed response' : 'asked: active')
  }
}

function unavailable(problem: string, rule: Citation): OAuthError {
  return refused('temporarily_unavailable', `the token cannot be introspected: ${problem}`, rule)
}
