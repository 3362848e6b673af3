import { bounded } from '../../../protocol/events.js'
import { type Client, isConfidential } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { tokenTypeUri } from '../../../protocol/oauth/scope.js'
import { type Citation, joinRules } from '../../../protocol/rules/rule.js'
import type { Actor } from '../model.js'
import { knownResource, resourceSettings } from '../parameters/resources.js'
import { grantedScope, narrowedScope } from '../parameters/scopes.js'
import type { AccessToken } from '../tokens/access-tokens.js'
import type { TokenParts } from '../tokens/token-parts.js'
import {
  type Grant,
  type GrantContext,
  type GrantParameters,
  invalidRequest,
  type RequiredKey,
  required,
} from './grant.js'

/** `grant_type` of a token exchange (RFC 8693 §2.1). */
const TOKEN_EXCHANGE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:token-exchange'

/** The accepted and issued token types (RFC 8693 §3): access tokens of this server, which are JWTs. */
const TOKEN_TYPES = [tokenTypeUri('access_token'), tokenTypeUri('jwt')]

/** Longest chain of actors. Each actor nests the one before, and parsers limit the depth of JSON. */
const MAX_ACTORS = 10

const MAX_AUDIENCES = 20
const MAX_AUDIENCE_LENGTH = 2048

/**
 * Token exchange (RFC 8693): issues an access token for an access token of this server, with the same subject and with
 * less scope or another audience. The new token expires no later than the old one. There is no refresh token.
 */
export function tokenExchangeGrant({ settings, registry, readAccessToken }: TokenParts): Grant {
  /**
   * Returns the audiences as they are registered. An audience is a resource or the client of another token.
   * @throws OAuthError `invalid_target` (RFC 8693 §2.2.2)
   */
  function knownAudiences({ audiences, resources }: GrantContext): readonly string[] {
    return audiences.map(audience => {
      const known =
        registry.client(audience)?.client_id ??
        knownResource(audience, resourceSettings(settings, { resources }))
      if (known !== undefined) return known
      throw new OAuthError('invalid_target', {
        description: 'audience is not known to this server',
        rule: 'RFC 8693 §2.2.2',
        evidence: bounded(audience),
      })
    })
  }

  /** @throws OAuthError `invalid_request` for any problem of the token (RFC 8693 §2.2.2) */
  async function read(token: string, what: string): Promise<AccessToken> {
    try {
      return await readAccessToken(token)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      const { description, rule, evidence } = error
      throw new OAuthError('invalid_request', {
        description: `${what}: ${description}`,
        rule: joinRules('RFC 8693 §2.2.2', rule),
        evidence,
      })
    }
  }

  async function readActor(parameters: GrantParameters): Promise<AccessToken | undefined> {
    const { actor_token: token, actor_token_type: type } = parameters
    if (token === undefined && type === undefined) return undefined
    if (token === undefined) throw invalid('actor_token_type is sent without actor_token')
    checkType(type, 'actor_token_type')
    return read(token, 'actor_token')
  }

  return {
    grantType: TOKEN_EXCHANGE_GRANT_TYPE,
    parameters: [
      'subject_token',
      'subject_token_type',
      'actor_token',
      'actor_token_type',
      'requested_token_type',
      'scope',
    ],
    repeatable: ['audience'],
    async decide(client, parameters, context) {
      const subjectToken = required(parameters.subject_token, 'subject_token', 'RFC 8693 §2.1')
      checkType(parameters.subject_token_type, 'subject_token_type')
      const { requested_token_type: issuedTokenType = TOKEN_TYPES[0]! } = parameters
      checkType(issuedTokenType, 'requested_token_type')
      checkAudiences(context.audiences)
      const known = knownAudiences(context)
      const subject = await read(subjectToken, 'subject_token')
      const actor = await readActor(parameters)
      refuseForeign(client, subject, 'subject_token')
      if (actor !== undefined) refuseForeign(client, actor, 'actor_token')
      const narrowed = narrowedScope(parameters.scope, subject.scope, 'RFC 8693 §2.1')
      return {
        subject: subject.subject,
        ...(subject.login && { login: subject.login, withoutIdToken: true as const }),
        scope: grantedScope(narrowed.join(' '), client, settings),
        audiences: known,
        authorizedDetails: subject.details,
        requiredKeys: [...keyOf('subject_token', subject), ...keyOf('actor_token', actor)],
        notAfter: subject.expiresAt,
        issuedTokenType,
        act: actor === undefined ? subject.act : actingFor(actor, subject.act),
      }
    },
  }
}

/** Returns the chain of actors: the present actor outermost, then the earlier ones (RFC 8693 §4.1). */
function actingFor({ subject: sub }: AccessToken, before: Actor | undefined): Actor {
  let actors = 1
  for (let each = before; each !== undefined; each = each.act) actors++
  if (actors > MAX_ACTORS) throw invalid(`more than ${MAX_ACTORS} actors follow each other`, 'RFC 8693 §4.1')
  return before === undefined ? { sub } : { sub, act: before }
}

/**
 * Refuses a token of another client from a public client. A confidential client that is registered for this grant may
 * exchange tokens that were handed to it. Anyone can pretend to be a public client, so a public client may exchange
 * its own tokens only.
 */
function refuseForeign(
  client: Client,
  { clientId }: AccessToken,
  what: 'subject_token' | 'actor_token',
): void {
  if (isConfidential(client) || clientId === client.client_id) return
  throw invalid(`${what} was issued to another client`, 'RFC 8693 §2.2.2')
}

/** Returns the keys of a bound token. Without a proof of them, an exchange would free a stolen token from its key. */
function keyOf(of: 'subject_token' | 'actor_token', token: AccessToken | undefined): RequiredKey[] {
  if (token === undefined) return []
  const { jkt, certificate } = token
  return [
    ...(jkt === undefined ? [] : [{ of, jkt }]),
    ...(certificate === undefined
      ? []
      : [{ of: 'certificate' as const, token: of, thumbprint: certificate }]),
  ]
}

function checkType(type: string | undefined, name: string): void {
  const given = required(type, name, 'RFC 8693 §2.1')
  if (TOKEN_TYPES.includes(given)) return
  throw invalid(`${name} is not supported; this server knows: ${TOKEN_TYPES.join(', ')}`, undefined, given)
}

function checkAudiences(audiences: readonly string[]): void {
  const tooMuch =
    audiences.length > MAX_AUDIENCES || audiences.some(each => each.length > MAX_AUDIENCE_LENGTH)
  if (!tooMuch) return
  throw new OAuthError('invalid_target', {
    description: `more than ${MAX_AUDIENCES} audiences, or one longer than ${MAX_AUDIENCE_LENGTH} characters`,
    rule: 'RFC 8693 §2.2.2',
  })
}

const invalid = (description: string, rule: Citation = 'RFC 8693 §2.1', evidence?: string) =>
  invalidRequest(description, rule, evidence)
