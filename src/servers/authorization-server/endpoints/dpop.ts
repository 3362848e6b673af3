import { type HeaderList, type HttpRequest, headerValues, splitUrl } from '../../../protocol/http/message.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { createDpopNonces, presentedDpopProof, verifyDpopProof } from '../../../protocol/tokens/dpop.js'
import { createReplayGuard } from '../../../protocol/tokens/replay-guard.js'
import { partsOf, type ResponseType } from '../parameters/response-type.js'
import type { BaseParts } from '../parts.js'
import { clauseOf } from '../profiles/profiles.js'
import { acceptedAlgorithms } from '../profiles/refusals.js'
import { baseOf } from './mutual-tls.js'

/** The sender of a proof. */
interface ProofSender {
  /** Its profile limits the algorithms of the proof. */
  readonly client: Pick<Client, 'profile'>
  /** The owner of the room in which the proof is remembered. */
  readonly owner: string
  /** The access token that the request presents. */
  readonly accessToken?: string
}

/** The check of DPoP proofs at this server's endpoints (RFC 9449). */
export interface DpopProofs {
  /**
   * Returns the thumbprint of the key that a request proves to hold; undefined without a proof.
   * @throws OAuthError `invalid_dpop_proof`, `use_dpop_nonce`
   */
  verify(http: HttpRequest, sender: ProofSender): Promise<string | undefined>
  /** Returns the headers of every response: the nonce for the next proof (RFC 9449 §8.2), when nonces are used. */
  headers(): HeaderList
}

/** Makes the check of proofs. All endpoints share it, so that a proof is accepted once. */
export function createDpopProofs({ settings, issuer, now, random }: BaseParts): DpopProofs {
  const replay = createReplayGuard({ now })
  const nonces = settings.dpopNonceRequired ? createDpopNonces({ now, random }) : undefined
  return {
    async verify(http, { client, owner, accessToken }) {
      const proof = presentedDpopProof(headerValues(http, 'dpop'))
      if (proof === undefined) return undefined
      const { jkt } = await verifyDpopProof(proof, {
        method: http.method,
        // The URL that this server is known by. The sender chooses Host, so Host proves nothing.
        url: baseOf(http, { issuer, mtlsUrl: settings.mtlsUrl?.() }) + splitUrl(http.url).path,
        now: now(),
        replay,
        owner,
        accessToken,
        nonces,
        algorithms: acceptedAlgorithms(client),
      })
      return jkt
    },
    headers: () => (nonces === undefined ? [] : [['dpop-nonce', nonces.current()]]),
  }
}

interface CertificateNeed {
  readonly client: Client
  readonly jkt: string | undefined
  /** The base URL of the endpoints that ask for certificates; undefined: there are none. */
  readonly mtlsUrl: string | undefined
}

const refused = (description: string) =>
  new OAuthError('invalid_request', { description, rule: 'RFC 8705 §3.4' })

/**
 * Checks that a client whose tokens are bound to its certificate shows one. RFC 8705 §3.4 would allow an unbound token:
 * a client that asked for bound ones would get what it wanted to avoid. A token has one binding, so there is no proof.
 * @throws OAuthError `invalid_request`
 */
export function requireCertificate(http: HttpRequest, { client, jkt, mtlsUrl }: CertificateNeed): void {
  if (client.tls_client_certificate_bound_access_tokens !== true) return
  if (jkt !== undefined) {
    throw refused('tokens of this client are bound to its certificate: send no DPoP proof')
  }
  const { certificate } = http
  if (certificate === undefined) {
    const where = mtlsUrl === undefined ? '' : `; its address is ${mtlsUrl}/token`
    throw refused(
      `tokens of this client are bound to its certificate, and the connection has no client certificate${where}`,
    )
  }
  if (certificate.outdated === undefined) return
  throw refused(
    certificate.outdated === 'expired'
      ? 'the client certificate has expired'
      : 'the client certificate is not valid yet',
  )
}

/**
 * Checks that a client whose tokens are bound to a key proves to hold one.
 * @param jkt thumbprint of the key of a DPoP proof
 * @throws OAuthError `invalid_dpop_proof`
 */
export function requireProof(client: Client, jkt: string | undefined): void {
  if (client.dpop_bound_access_tokens !== true || jkt !== undefined) return
  throw new OAuthError('invalid_dpop_proof', {
    description: 'tokens of this client are bound to a key, and the request has no DPoP proof',
    rule: clauseOf(client, 'bound', 'RFC 9449 §5.2'),
  })
}

/**
 * Refuses an access token through the browser for a client whose tokens are bound: the authorization endpoint sees neither
 * a proof nor the certificate of the client, so that token would be good for anybody.
 * @throws OAuthError `unauthorized_client`
 */
export function refuseUnboundToken(responseType: ResponseType, client: Client): void {
  if (!partsOf(responseType).token) return
  const { dpop_bound_access_tokens: toKey, tls_client_certificate_bound_access_tokens: toCertificate } =
    client
  if (toKey !== true && toCertificate !== true) return
  const bond = toKey === true ? 'a key' : 'its certificate'
  throw new OAuthError('unauthorized_client', {
    description: `tokens of this client are bound to ${bond}, and a token through the browser cannot be; use response_type code`,
    rule: toKey === true ? 'RFC 9449 §5.2' : 'RFC 8705 §3.4',
  })
}
