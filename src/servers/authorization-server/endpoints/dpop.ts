import { type HeaderList, type HttpRequest, headerValues, splitUrl } from '../../../protocol/http/message.js'
import type { Client } from '../../../protocol/oauth/client.js'
import { createDpopNonces, presentedDpopProof, verifyDpopProof } from '../../../protocol/tokens/dpop.js'
import { createReplayGuard } from '../../../protocol/tokens/replay-guard.js'
import { acceptedAlgorithms } from '../profiles/refusals.js'
import { baseOf } from './mutual-tls.js'

/** The check of DPoP proofs at this server's endpoints (RFC 9449). */
export interface DpopProofs {
  /**
   * Returns the thumbprint of the key that a request proves to hold; undefined without a proof.
   * @param client the client whose profile limits the algorithms of the proof
   * @param accessToken the access token that the request presents
   * @throws OAuthError `invalid_dpop_proof`, `use_dpop_nonce`
   */
  verify(
    http: HttpRequest,
    client: Pick<Client, 'profile'>,
    accessToken?: string,
  ): Promise<string | undefined>
  /** Returns the headers of every response: the nonce for the next proof (RFC 9449 §8.2), when nonces are used. */
  headers(): HeaderList
}

/** The parts that verify proofs. */
export interface DpopParts {
  readonly issuer: string
  /** Returns the base URL of the endpoints that ask for certificates; undefined: there are none. */
  readonly mtlsUrl?: (() => string | undefined) | undefined
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** True when a proof needs a nonce of this server (RFC 9449 §8). */
  readonly nonceRequired: boolean
}

/** Makes the check of proofs. All endpoints share it, so that a proof is accepted once. */
export function createDpopProofs({ issuer, mtlsUrl, now, random, nonceRequired }: DpopParts): DpopProofs {
  const replay = createReplayGuard({ now })
  const nonces = nonceRequired ? createDpopNonces({ now, random }) : undefined
  return {
    async verify(http, client, accessToken) {
      const proof = presentedDpopProof(headerValues(http, 'dpop'))
      if (proof === undefined) return undefined
      const { jkt } = await verifyDpopProof(proof, {
        method: http.method,
        // The URL that this server is known by. The sender chooses Host, so Host proves nothing.
        url: baseOf(http, { issuer, mtlsUrl: mtlsUrl?.() }) + splitUrl(http.url).path,
        now: now(),
        replay,
        accessToken,
        nonces,
        algorithms: acceptedAlgorithms(client),
      })
      return jkt
    },
    headers: () => (nonces === undefined ? [] : [['dpop-nonce', nonces.current()]]),
  }
}
