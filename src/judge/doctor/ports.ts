import type { DeviceVerifier } from '../../client/device-verifier.js'
import type { DocumentLie, NetworkPorts } from '../../flows/ports.js'
import type { Send } from '../../protocol/http/exchange.js'
import type { OwnDocument } from '../../session/flow/own-document.js'

/** A version of TLS that no server may offer (RFC 8996). */
export type OldTls = 'TLSv1' | 'TLSv1.1'

/** A handshake that a careful server refuses: an old version, or suites of TLS 1.2 that nobody should use. */
export interface WeakOffer {
  readonly version: OldTls | 'TLSv1.2'
  /** Names of OpenSSL. Absent: every suite that OpenSSL has. */
  readonly suites?: readonly string[]
}

/** The answer to an offer. `not_offered`: the OpenSSL of this computer cannot make the offer. */
export type OfferAnswer = 'taken' | 'refused' | 'not_offered'

/** The world of an examination. */
export interface DoctorPorts extends NetworkPorts {
  /** Creates the person who decides about a device, and who sends through another `Send`. */
  readonly verifierWith: (send: Send) => DeviceVerifier
  /** Waits that many milliseconds; rejects with the reason of `signal`. */
  readonly wait: (ms: number) => Promise<void>
  /**
   * Offers one version of TLS to the server of an https URL, and nothing else.
   * Absent, or undefined, where no handshake could be made.
   */
  readonly offerTls?: (url: string, offer: WeakOffer) => Promise<OfferAnswer | undefined>
  /** Serves the document of a client on this computer, which is wrong in one point or in none. Absent: nobody serves one. */
  readonly serveDocument?: (redirectUri: string, lie?: DocumentLie) => Promise<OwnDocument>
}
