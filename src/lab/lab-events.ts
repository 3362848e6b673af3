import type { HandshakeReason } from './listening/handshake-failure.js'

/** The events of a lab besides those of its sites. */
export type LabOwnEvent =
  | {
      /** A site answered a request. Secrets in the path are cut. */
      readonly type: 'request.answered'
      readonly site: string
      readonly method: string
      readonly path: string
      readonly status: number
      /** Absent without a content coding. */
      readonly coding?: string
      /** Bytes of the body, on the wire and before its content coding. */
      readonly wireBytes: number
      readonly bodyBytes: number
      readonly ms: number
      readonly client_id?: string
      /** The run of the doctor, of a wrong move or of an attack, such as `doctor 1a2b3c4d`. */
      readonly run?: string
      /** The origin of another site, as browsers name it. Other programs write what they like. */
      readonly origin?: string
    }
  | {
      /** No TLS connection was agreed on, or the client does not trust the CA. No request was made. */
      readonly type: 'handshake.failed'
      readonly site: string
      /** Without its port. */
      readonly remoteAddress?: string
      readonly reason: HandshakeReason
      readonly description: string
      readonly hint?: string
    }
  | {
      /** No other request was answered for more than a second. */
      readonly type: 'loop.blocked'
      readonly ms: number
      /** Requests that were being answered: with several, any may be the cause. */
      readonly requests: readonly number[]
      readonly paths: readonly string[]
    }
  | {
      /** Another key signs from now on. */
      readonly type: 'key.rotated' | 'cluster.key_rotated'
      readonly kid: string
      readonly alg: string
      readonly retired: string
    }
  | {
      /** The first key of an algorithm that a client is registered for. */
      readonly type: 'key.made'
      readonly kid: string
      readonly alg: string
    }
  | {
      /** `oauth-lab attack run` ended an attack while a lesson ran. In the event file alone. */
      readonly type: 'attack.ended'
      readonly attack: string
      readonly outcome: 'stolen' | 'defended'
      /** The check that refused, or was missing. */
      readonly check: string
      readonly rule: string
    }
  | {
      /** `oauth-lab doctor` ended an examination while a lesson ran. In the event file alone. */
      readonly type: 'doctor.ended'
      readonly issuer: string
      readonly faults: readonly string[]
      readonly weaknesses: readonly string[]
      readonly passed: number
    }
  | {
      /** A bug of this program; the client was answered 500. */
      readonly type: 'server.failed'
      readonly site: string
      readonly path: string
      readonly description: string
    }
