import { type CsrfForm, MASKED } from '../../protocol/http/csrf.js'
import type { HttpRequest, HttpResponse } from '../../protocol/http/message.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import { matchRedirectUri } from '../../protocol/oauth/redirect-uri.js'
import { signedRoot } from '../../protocol/saml/xml-signature.js'
import type { SignedSaml } from './assertions/saml.js'
import { type JudgeDocument, judgeDocument } from './client-documents/document-rules.js'
import { decideConsent } from './logins/consents.js'
import type { Family } from './model.js'
import { devicePage } from './pages/device-pages.js'
import { checkVerifier, readChallenge } from './parameters/challenge.js'
import { readResources } from './parameters/resources.js'
import { REGISTRATION_RULES, type RegistrationRules } from './registration/client-metadata.js'
import type { AuthorizationServerSettings } from './settings.js'
import type { CodeRecord, Codes } from './stores/codes.js'
import { rotateRefreshToken } from './stores/refresh-tokens.js'

/**
 * The checks of the authorization server that a weak mode can replace. The server calls them and knows no weak mode: the
 * lab that makes a weak server hands in other functions.
 */
export interface Defences {
  /** The rules for clients that register themselves (RFC 7591 §5). */
  readonly registrationRules: RegistrationRules
  /** Judges what lies at the address of a client (draft-ietf-oauth-client-id-metadata-document-02 §4). */
  readonly judgeDocument: JudgeDocument
  /** Returns the registered address that a redirect_uri matches (RFC 9700 §4.1.3). */
  readonly matchRedirectUri: typeof matchRedirectUri
  /** Reads the resources that a token is for (RFC 8707 §2). */
  readonly readResources: typeof readResources
  /** Reads the PKCE challenge of an authorization request (RFC 7636 §4.4.1). */
  readonly readChallenge: typeof readChallenge
  /** Compares the code_verifier with the challenge of the code (RFC 7636 §4.6). */
  readonly checkVerifier: typeof checkVerifier
  /** True when a client may redeem a code that was issued to a client (RFC 6749 §4.1.3). */
  readonly isCodeOf: (issuedTo: string, clientId: string) => boolean
  /** True when a client may present the ID-JAG that an identity provider issued to a client (MCP Enterprise-Managed Authorization §5). */
  readonly isGrantOf: (issuedTo: unknown, clientId: string) => boolean
  /** Uses up a code (RFC 6749 §4.1.2). */
  readonly spendCode: (codes: Codes, code: string, record: CodeRecord, family: Family) => void
  /** Returns the refresh token that follows a used one (RFC 9700 §4.14.2). */
  readonly renewRefreshToken: typeof rotateRefreshToken
  /** Returns `iss` of authorization responses (RFC 9207 §2). */
  readonly namedIssuer: (issuer: string) => string | undefined
  /** Decides whether a logged-in person is asked to allow a client (RFC 6749 §10.2). */
  readonly decideConsent: typeof decideConsent
  /** Makes the page on which a person lets a device in (RFC 8628 §5.4). */
  readonly devicePage: typeof devicePage
  /** The form of csrf values on pages (BREACH). */
  readonly csrfForm: CsrfForm
  /** Returns the element of a SAML assertion that its signature is about (SAML 2.0 Core §5.4). */
  readonly signedSaml: SignedSaml
  /** Returns a response as it is sent, with the headers that protect pages (RFC 9700 §4.2.4, §4.16). */
  readonly showPage: (request: HttpRequest, response: HttpResponse) => HttpResponse
  /** Returns the metadata with what the other members change in it, so that it stays truthful (RFC 8414 §2). */
  readonly describe: (metadata: AuthorizationServerMetadata) => AuthorizationServerMetadata
}

/** The defences that the RFCs demand. */
export const STRICT: Defences = {
  registrationRules: REGISTRATION_RULES,
  judgeDocument,
  matchRedirectUri,
  readResources,
  readChallenge,
  checkVerifier,
  isCodeOf: (issuedTo, clientId) => issuedTo === clientId,
  isGrantOf: (issuedTo, clientId) => issuedTo === clientId,
  spendCode: (codes, code, record, family) => codes.redeem(code, record, family),
  renewRefreshToken: rotateRefreshToken,
  namedIssuer: issuer => issuer,
  decideConsent,
  devicePage,
  csrfForm: MASKED,
  signedSaml: signedRoot,
  showPage: (_request, response) => response,
  describe: metadata => metadata,
}

/** The settings of a server, and the checks that weak modes replace. Absent: the strict ones. */
export type DefendedSettings = AuthorizationServerSettings & { readonly defences?: Defences }
