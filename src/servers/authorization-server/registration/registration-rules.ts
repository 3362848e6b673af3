import type { Client } from '../../../protocol/oauth/client.js'
import { redirectFault } from './redirect-rules.js'

/** The rules for clients that register themselves, which those of the lab file do not have. */
export interface RegistrationRules {
  /** Returns the fault of an address (OpenID Connect Registration §2, RFC 8252 §7). */
  readonly redirectFault: typeof redirectFault
  /** Marks the client on pages: nobody checked its name and its picture (RFC 7591 §5). */
  readonly introduced: Client['introduced']
}

/** The rules that the specifications demand. */
export const REGISTRATION_RULES: RegistrationRules = { redirectFault, introduced: 'registration' }
