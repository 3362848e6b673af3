import type { FormPairs } from '../../../protocol/http/form.js'
import { ASYMMETRIC_ALGORITHMS } from '../../../protocol/oauth/algorithms.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { CREDENTIAL_PARAMETERS } from '../../../protocol/oauth/client-auth.js'
import { isRefusal, OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { createReplayGuard } from '../../../protocol/tokens/replay-guard.js'
import type { Publish } from '../events.js'
import type { BaseParts } from '../parts.js'
import { objectParameters } from '../request-objects/resolve-request.js'
import { type ObjectVerdict, verifyObject } from '../request-objects/verify-object.js'

const RULE = 'OpenID Connect CIBA Core §7.1.1'

/** The claims that every signed request has. */
const CLAIMS = ['iss', 'aud', 'exp', 'iat', 'nbf', 'jti'] as const

/** Parameters that may stand beside a signed request. */
const OUTSIDE: readonly string[] = ['request', ...CREDENTIAL_PARAMETERS]

/** Returns the parameters that count: those of the form, or those of its signed request. @throws OAuthError */
export type OpenSignedRequest = (
  sent: FormPairs,
  request: string | undefined,
  client: Client,
  publish: Publish,
) => Promise<FormPairs>

/** A bad signed request has no code of its own (OpenID Connect CIBA Core §13). */
const invalid = (description: string, evidence?: string) =>
  new OAuthError('invalid_request', { description, rule: RULE, evidence })

/** Makes the function that opens signed requests. Each of them is accepted once, by its jti. */
export function createSignedRequests({ settings, issuer, now, clientKeys }: BaseParts): OpenSignedRequest {
  const replay = createReplayGuard({ now })

  async function verified(request: string, client: Client, publish: Publish): Promise<ObjectVerdict> {
    const demands = {
      client,
      issuer,
      now: now(),
      registered: client.backchannel_authentication_request_signing_alg,
      mayBeUnsigned: false,
      needsClientId: false,
      strict: settings.strictRequestObjects || client.strict_request_objects === true,
    }
    try {
      const verdict = await verifyObject(request, () => demands, { clientKeys, publish })
      if (verdict.problem !== undefined) throw verdict.problem
      return verdict
    } catch (error) {
      if (!isRefusal(error, ['invalid_request_object'])) throw error
      throw invalid(error.description, error.evidence)
    }
  }

  function use({ claims, id }: ObjectVerdict, client: Client): void {
    const { client_id: owner } = client
    const result = replay.use(JSON.stringify([owner, id]), Number(claims.exp) * 1000, owner)
    if (result === 'first') return
    if (result === 'again') throw invalid('the signed request was used before', id)
    const description = 'too many signed requests are remembered; try again later'
    throw new OAuthError('temporarily_unavailable', { description, rule: 'RFC 6749 §4.1.2.1' })
  }

  return async (sent, request, client, publish) => {
    if (request === undefined) {
      const alg = client.backchannel_authentication_request_signing_alg
      if (alg === undefined) return sent
      throw invalid(`this client is registered for requests that ${alg} signs; send request`)
    }
    const outside = sent.find(([name]) => !OUTSIDE.includes(name))
    if (outside !== undefined) {
      throw invalid(`${outside[0].slice(0, 60)} is beside the signed request; all parameters belong into it`)
    }
    const verdict = await verified(request, client, publish)
    const { alg, claims, checks } = verdict
    if (!ASYMMETRIC_ALGORITHMS.some(each => each === alg)) {
      throw invalid(`the signed request has the algorithm ${alg}, and needs one with a public key`)
    }
    const missing = CLAIMS.find(name => claims[name] === undefined)
    if (missing !== undefined) throw invalid(`the signed request has no ${missing}`)
    const wrong = ['exp', 'iat', 'nbf'].find(name => typeof claims[name] !== 'number')
    if (wrong !== undefined) throw invalid(`${wrong} of the signed request is no number`)
    use(verdict, client)
    const pairs = parametersOf(claims)
    publish({
      type: 'request_object.accepted',
      client_id: client.client_id,
      delivery: 'value',
      rules: RULE,
      alg,
      parameters: [...new Set(pairs.map(([name]) => name))],
      checks,
    })
    return pairs
  }
}

/** @throws OAuthError `invalid_request` for a value of a wrong type */
function parametersOf(claims: ObjectVerdict['claims']): FormPairs {
  try {
    return objectParameters(claims)
  } catch (error) {
    if (!isRefusal(error, ['invalid_request_object'])) throw error
    throw invalid(error.description, error.evidence)
  }
}
