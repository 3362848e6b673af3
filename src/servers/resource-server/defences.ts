import { verifyJwt } from '../../protocol/tokens/verify.js'
import { checkAccessClaims, checkBearer, checkKind, requireScope } from './claim-checks.js'
import type { ResourceServerSettings } from './settings.js'

/**
 * The checks of the resource server that a weak mode can replace. The server calls them and knows no weak mode: the lab
 * that makes a weak server hands in other functions.
 */
export interface Defences {
  /** Verifies the signature of a token (RFC 7515 §5.2, RFC 8725 §3.1). */
  readonly verifyJwt: typeof verifyJwt
  /** Checks that a JWT can be an access token (RFC 8725 §3.11, §3.12). */
  readonly checkKind: typeof checkKind
  /** Checks issuer, lifetime and audience of a token (RFC 7519 §4.1). */
  readonly checkAccessClaims: typeof checkAccessClaims
  /** Checks that a token sent as Bearer is bound to no key (RFC 9449 §7.2). */
  readonly checkBearer: typeof checkBearer
  /** Checks that a token has the scope of the route (RFC 6750 §3.1). */
  readonly requireScope: typeof requireScope
}

/** The settings of a server, and the checks that weak modes replace. Absent: the strict ones. */
export type DefendedSettings = ResourceServerSettings & { readonly defences?: Defences }

/** The defences that the RFCs demand. */
export const STRICT: Defences = { verifyJwt, checkKind, checkAccessClaims, checkBearer, requireScope }
