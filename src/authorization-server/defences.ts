import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { matchRedirectUri } from '../oauth/redirect-uri.js'

/**
 * The checks of the authorization server that a weak mode can replace. The server calls them and knows no weak mode: the
 * lab that makes a weak server hands in other functions.
 */
export interface Defences {
  /** Returns the registered address that a redirect_uri matches (RFC 9700 §4.1.3). */
  readonly matchRedirectUri: typeof matchRedirectUri
  /** Returns `iss` of authorization responses (RFC 9207 §2). */
  readonly namedIssuer: (issuer: string) => string | undefined
  /** Returns the metadata with what the other members change in it, so that it stays truthful (RFC 8414 §2). */
  readonly describe: (metadata: AuthorizationServerMetadata) => AuthorizationServerMetadata
}

/** The defences that the RFCs demand. */
export const STRICT: Defences = {
  matchRedirectUri,
  namedIssuer: issuer => issuer,
  describe: metadata => metadata,
}
