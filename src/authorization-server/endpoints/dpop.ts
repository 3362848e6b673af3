import { type HeaderList, type HttpRequest, headerValues, splitUrl } from '../../http/message.js'
import { createDpopNonces } from '../../tokens/dpop-nonces.js'
import { presentedDpopProof, verifyDpopProof } from '../../tokens/dpop-verify.js'
import { createReplayGuard } from '../../tokens/replay-guard.js'

/** Proofs of possession at this server's endpoints (RFC 9449). */
export interface DpopProofs {
  /**
   * The thumbprint of the key that a request proves to hold; undefined where it has no proof.
   * @param accessToken the token that came beside the proof
   * @throws OAuthError `invalid_dpop_proof`, `use_dpop_nonce`
   */
  verify(http: HttpRequest, accessToken?: string): Promise<string | undefined>
  /** Headers of every answer: the nonce for the next proof (RFC 9449 §8.2), where nonces are used. */
  headers(): HeaderList
}

/** The parts that verify proofs. */
export interface DpopParts {
  readonly issuer: string
  readonly now: () => number
  readonly random: (length: number) => Uint8Array
  /** True when a proof needs a nonce of this server (RFC 9449 §8). */
  readonly nonceRequired: boolean
}

/** One memory of used proofs for all endpoints. */
export function createDpopProofs({ issuer, now, random, nonceRequired }: DpopParts): DpopProofs {
  const replay = createReplayGuard({ now })
  const nonces = nonceRequired ? createDpopNonces({ now, random }) : undefined
  return {
    async verify(http, accessToken) {
      const proof = presentedDpopProof(headerValues(http, 'dpop'))
      if (proof === undefined) return undefined
      const { jkt } = await verifyDpopProof(proof, {
        method: http.method,
        // Not as the request was addressed: Host is the sender's to choose.
        url: `${issuer}${splitUrl(http.url).path}`,
        now: now(),
        replay,
        ...(accessToken === undefined ? {} : { accessToken }),
        ...(nonces === undefined ? {} : { nonces }),
      })
      return jkt
    },
    headers: () => (nonces === undefined ? [] : [['dpop-nonce', nonces.current()]]),
  }
}
