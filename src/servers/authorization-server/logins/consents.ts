import { hash } from 'node:crypto'
import { type Client, isConfidential, isNative } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { LoginDemands } from '../parameters/login-demands.js'

/** The access that a client asks for: scopes and single claims, with the answer at an address. */
interface AskedAccess {
  readonly client: Client
  readonly redirectUri: string
  /** True when the answer itself has tokens: no client authenticates to get them (RFC 6749 §4.2). */
  readonly tokensInAnswer: boolean
  readonly scope: readonly string[]
  /** Names of claims (OpenID Connect Core §5.5). */
  readonly claims: readonly string[]
}

/** The scopes and claims of a request that a person allowed to this client before. */
export type AllowedBefore = Pick<AskedAccess, 'scope' | 'claims'>

/** The access that a person allowed in one session. It ends with the session. */
export interface Consents {
  /** Keeps what the person allowed. Returns false for a client whose consent is never kept. */
  keep(asked: AskedAccess): boolean
  allowed(asked: AskedAccess): AllowedBefore
  covers(asked: AskedAccess): 'all' | 'part' | 'nothing'
}

/** Nothing that was allowed before. */
export const NOTHING_ALLOWED: AllowedBefore = { scope: [], claims: [] }

/**
 * Most entries of a session: one or two for each scope. A client may have as many as are still free. Its older ones are
 * forgotten, and the person is asked again.
 */
const MAX_CONSENTS = 200

/**
 * True when the secret of a client proves its identity before it gets a token. Tokens in the answer itself go to the
 * address, and any program may listen there (RFC 6749 §10.2).
 */
function isProven({ client, tokensInAnswer }: AskedAccess): boolean {
  return isConfidential(client) && !tokensInAnswer
}

/**
 * Returns the parts that identify a client across requests. A proven client is known by its name. Any other is known by
 * the exact redirect_uri alone, port included, because every program on a computer may listen on a port (RFC 6749
 * §10.2, RFC 8252 §8.6).
 */
function identity(asked: AskedAccess): readonly string[] {
  const { client } = asked
  // A client that introduced itself may say something else of itself at any time; the person allowed what it said before.
  const who = client.introduced === undefined ? client.client_id : JSON.stringify(client)
  return isProven(asked) ? [who] : [who, asked.redirectUri]
}

/** True for a client that nothing identifies, whose consent is never kept. */
function isUnknown({ client, redirectUri }: AskedAccess): boolean {
  return isNative(client, redirectUri)
}

/** Makes the empty consents of a session. */
export function createConsents(): Consents {
  // Digests bound the size of an entry, and do not keep the request alive that the texts came from.
  const kept = new Map<string, string>()
  const digest = (who: readonly string[], access: string | readonly string[]) =>
    hash('sha256', JSON.stringify([who, access]), 'base64')
  const claimed = (name: string) => ['claim', name]
  const digests = (who: readonly string[], { scope, claims }: AskedAccess) =>
    [...scope, ...claims.map(claimed)].map(each => digest(who, each))

  function allowed(asked: AskedAccess): AllowedBefore {
    if (isUnknown(asked)) return NOTHING_ALLOWED
    const who = identity(asked)
    return {
      scope: asked.scope.filter(each => kept.has(digest(who, each))),
      claims: asked.claims.filter(name => kept.has(digest(who, claimed(name)))),
    }
  }

  return {
    keep(asked) {
      if (isUnknown(asked)) return false
      const { client_id: owner } = asked.client
      // The person saw the address as well, so tokens may come there, and codes of a confidential client anywhere.
      const exact = identity({ ...asked, tokensInAnswer: true })
      const named = identity({ ...asked, tokensInAnswer: false })
      for (const each of [...digests(exact, asked), ...digests(named, asked)]) {
        kept.delete(each)
        kept.set(each, owner)
      }
      const own = [...kept.keys()].filter(each => kept.get(each) === owner)
      const excess = Math.ceil((own.length + kept.size - MAX_CONSENTS) / 2)
      for (const oldest of own.slice(0, Math.max(0, excess))) kept.delete(oldest)
      return true
    },
    allowed,
    covers(asked) {
      if (isUnknown(asked)) return 'nothing'
      const before = allowed(asked)
      const known = before.scope.length + before.claims.length
      if (known === asked.scope.length + asked.claims.length) return 'all'
      return known === 0 ? 'nothing' : 'part'
    },
  }
}

/**
 * The reason for asking: the request wants it, a native client, a client without consent, a wider scope, or authorization
 * details.
 */
type ConsentReason = 'prompt' | 'native' | 'client' | 'scope' | 'details'

/** The next step for the request of a logged-in person: answer it, show the consent page, or refuse. */
type ConsentDecision =
  /**
   * `source`: the session kept an earlier consent, the client is registered with `consent: granted`, or a weak mode asks
   * nobody.
   */
  | { readonly kind: 'granted'; readonly source: 'session' | 'client' | 'weak' }
  | { readonly kind: 'ask'; readonly reason: ConsentReason; readonly rule: Citation }
  | { readonly kind: 'refuse'; readonly error: OAuthError<'consent_required'> }

/** A request for access by a client. */
export interface AccessRequest extends AskedAccess, Pick<LoginDemands, 'prompts'> {
  /** True for a request with authorization details. An earlier consent never covers them: the same payment may be another one. */
  readonly hasDetails: boolean
}

/**
 * Decides whether a session answers a request without asking the person (OpenID Connect Core §3.1.2.4, RFC 6749 §10.2).
 * A native client is always asked for, because nothing proves its identity (RFC 8252 §8.6).
 */
export function decideConsent(request: AccessRequest, consents: Consents): ConsentDecision {
  const { client, redirectUri, prompts, hasDetails } = request
  if (prompts.includes('consent')) {
    return { kind: 'ask', reason: 'prompt', rule: 'OpenID Connect Core §3.1.2.1' }
  }
  if (client.consent === 'granted') return { kind: 'granted', source: 'client' }
  const covered = consents.covers(request)
  if (covered === 'all' && !hasDetails) return { kind: 'granted', source: 'session' }
  if (prompts.includes('none')) {
    return {
      kind: 'refuse',
      error: new OAuthError('consent_required', {
        description: hasDetails
          ? 'prompt is none, and the resource owner is asked about authorization details each time'
          : 'prompt is none, and the resource owner has not allowed this client or scope in this session',
        rule: 'OpenID Connect Core §3.1.2.6',
      }),
    }
  }
  if (isNative(client, redirectUri)) return { kind: 'ask', reason: 'native', rule: 'RFC 8252 §8.6' }
  if (hasDetails) return { kind: 'ask', reason: 'details', rule: 'RFC 9396 §3.1' }
  if (covered === 'part') return { kind: 'ask', reason: 'scope', rule: 'OpenID Connect Core §3.1.2.4' }
  const rule = isProven(request) ? 'OpenID Connect Core §3.1.2.4' : 'RFC 6749 §10.2'
  return { kind: 'ask', reason: 'client', rule }
}
