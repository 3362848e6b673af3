import type { DeviceVerifier } from '../../client/device-verifier.js'
import type { Send } from '../../http/exchange.js'
import type { NetworkPorts } from '../ports.js'

/** A version of TLS that no server may offer (RFC 8996). */
export type OldTls = 'TLSv1' | 'TLSv1.1'

/** The world of an examination. */
export interface DoctorPorts extends NetworkPorts {
  /** Creates the person who decides about a device, and who sends through another `Send`. */
  readonly verifierWith: (send: Send) => DeviceVerifier
  /** Waits that many milliseconds; rejects with the reason of `signal`. */
  readonly wait: (ms: number) => Promise<void>
  /**
   * Offers one old version of TLS to the server of an https URL, and no other. Returns whether the server took it.
   * Absent, or undefined, where no handshake could be made.
   */
  readonly takesTls?: (url: string, version: OldTls) => Promise<boolean | undefined>
}
