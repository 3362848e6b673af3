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
      /** The content coding of the answer, where it has one. */
      readonly coding?: string
      /** Bytes of the body on the wire, and before its content coding. */
      readonly wireBytes: number
      readonly bodyBytes: number
      readonly ms: number
      /** The client that the request names. */
      readonly client_id?: string
      /** The run of the doctor, of a wrong move or of an attack that the request says it belongs to, such as `doctor 1a2b3c4d`. */
      readonly run?: string
      /** The origin that the request names, as browsers do for a script or form of another site. Other programs write what they like. */
      readonly origin?: string
    }
  | {
      /** A client and a TLS listener did not agree on a connection, or the client does not trust the CA. No request was made. */
      readonly type: 'handshake.failed'
      readonly site: string
      /** The address of the client, without its port. */
      readonly remoteAddress?: string
      readonly reason: HandshakeReason
      readonly description: string
      /** The next move. */
      readonly hint?: string
    }
  | {
      /** Work held the event loop for more than a second, so that no other request was answered meanwhile. */
      readonly type: 'loop.blocked'
      readonly ms: number
      /** The ids of the requests that were being answered. With several, any may be the one. */
      readonly requests: readonly number[]
      /** Method and path of each. */
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
      /** The first key of an algorithm was made, because a client is registered for it. */
      readonly type: 'key.made'
      readonly kid: string
      readonly alg: string
    }
  | {
      /** `oauth-lab attack run` ended an attack while a lesson ran. The event is in the event file alone. */
      readonly type: 'attack.ended'
      readonly attack: string
      readonly outcome: 'stolen' | 'defended'
      /** The check that refused, or that was missing. */
      readonly check: string
      readonly rule: string
    }
  | {
      /** `oauth-lab doctor` ended an examination while a lesson ran. The event is in the event file alone. */
      readonly type: 'doctor.ended'
      readonly issuer: string
      /** Names of its findings. */
      readonly faults: readonly string[]
      readonly weaknesses: readonly string[]
      /** The number of findings that passed. */
      readonly passed: number
    }
  | {
      /** A bug of this program; the client was answered 500. */
      readonly type: 'server.failed'
      readonly site: string
      readonly path: string
      readonly description: string
    }
