import type { MessageKind } from '../recorded.js'

/** Names of wire parameters, each with the member of the event that has its value. */
type Members = Readonly<Record<string, string>>

/** The facts that an event has about its exchange. An event without a meaning has none about OAuth. */
export interface EventMeaning {
  /** The kind of the exchange. The first event of an exchange that has a kind decides. */
  readonly kind?: MessageKind
  /** Parameters of the request. */
  readonly sent?: Members
  /** Members of the answer, or parameters of the authorization response. */
  readonly answered?: Members
  /** The grant of a token request. */
  readonly grant?: string
  /** The name of the finding that the event is, where its error or rule has no better one. */
  readonly finding?: string
}

const refused = (kind: MessageKind): EventMeaning => ({
  kind,
  answered: { error: 'error', error_description: 'description' },
  finding: 'request-refused',
})

const login: EventMeaning = { kind: 'login', sent: { username: 'username' } }
const failedLogin: EventMeaning = { ...login, finding: 'login-failed' }
const failedDocument: EventMeaning = { finding: 'document-failed' }
const redeemed: EventMeaning = {
  kind: 'token_request',
  grant: 'authorization_code',
  sent: { code: 'code' },
}
const refreshed: EventMeaning = {
  kind: 'token_request',
  grant: 'refresh_token',
  sent: { refresh_token: 'refresh_token' },
}
const logout: EventMeaning = { kind: 'logout_request' }
const callback: EventMeaning = { kind: 'authorization_response' }

/** The events that exchanges of OAuth and OpenID Connect have, in the order of a login. docs/reference/events.md describes their members. */
export const EVENTS: Readonly<Record<string, EventMeaning>> = {
  'client.registered': { kind: 'registration', answered: { client_id: 'client_id' } },
  'client.updated': { kind: 'registration', answered: { client_id: 'client_id' } },
  'client.deleted': { kind: 'registration' },
  'registration.refused': refused('registration'),
  'request.pushed': {
    kind: 'pushed_authorization_request',
    answered: { request_uri: 'request_uri', expires_in: 'expires_in' },
  },
  'push.refused': refused('pushed_authorization_request'),
  'authorization.requested': { kind: 'authorization_request' },
  'authorization.refused': { ...refused('authorization_request'), finding: 'authorization-error' },
  'request_object.accepted': {},
  'request_object.failed': failedDocument,
  'client_document.refused': failedDocument,
  'client_keys.failed': failedDocument,
  'sector_document.failed': failedDocument,
  'resource_metadata.failed': failedDocument,
  'keys.failed': failedDocument,
  'login.shown': { kind: 'login' },
  'login.succeeded': login,
  'login.failed': failedLogin,
  'second_factor.shown': { kind: 'login' },
  'second_factor.succeeded': { kind: 'login' },
  'second_factor.failed': { kind: 'login', finding: 'login-failed' },
  'session.resumed': { kind: 'login' },
  'consent.shown': { kind: 'login' },
  'consent.granted': { kind: 'login' },
  'consent.denied': { kind: 'login' },
  'consent.failed': { kind: 'login', finding: 'login-failed' },
  'code.issued': { answered: { code: 'code' } },
  'id_token.issued': {},
  'code.redeemed': redeemed,
  'code.replayed': { ...redeemed, finding: 'code-reused' },
  'refresh_token.rotated': refreshed,
  'refresh_token.repeated': refreshed,
  'refresh_token.reused': { ...refreshed, finding: 'refresh-token-reused' },
  'assertion.accepted': { kind: 'token_request' },
  'token.issued': {
    kind: 'token_request',
    answered: {
      access_token: 'access_token',
      token_type: 'token_type',
      expires_in: 'expires_in',
      refresh_token: 'refresh_token',
    },
  },
  'token.refused': { ...refused('token_request'), sent: { code: 'code' } },
  'client_secret.unencoded': {},
  'password.refused': { kind: 'token_request', grant: 'password' },
  'device_code.issued': { kind: 'device_authorization_request', answered: { expires_in: 'expires_in' } },
  'device_authorization.refused': refused('device_authorization_request'),
  'device_code.approved': login,
  'device_code.denied': login,
  'user_code.refused': { kind: 'login', finding: 'user-code-refused' },
  'ciba.requested': {
    kind: 'backchannel_authentication_request',
    sent: { binding_message: 'binding_message' },
    answered: { expires_in: 'expires_in' },
  },
  'ciba.refused': refused('backchannel_authentication_request'),
  'ciba.shown': login,
  'ciba.approved': login,
  'ciba.denied': login,
  'ciba.failed': failedLogin,
  'userinfo.answered': { kind: 'userinfo_request' },
  'userinfo.refused': { ...refused('userinfo_request'), finding: 'token-refused' },
  'claims.answered': { kind: 'resource_request' },
  'claims.refused': { ...refused('resource_request'), finding: 'token-refused' },
  'resource.accepted': { kind: 'resource_request' },
  'resource.refused': { ...refused('resource_request'), finding: 'token-refused' },
  'token.introspected': { kind: 'introspection_request', answered: { active: 'active' } },
  'introspection.refused': refused('introspection_request'),
  'revocation.refused': refused('revocation_request'),
  'token.revoked': {},
  'refresh_token.revoked': {},
  'logout.shown': logout,
  'session.ended': logout,
  'logout.refused': refused('logout_request'),
  'logout_token.failed': { ...logout, finding: 'logout-token-failed' },
  'demo_client.logged_in': callback,
  'demo_client.login_refused': { ...callback, finding: 'login-refused' },
  'demo_client.login_failed': { ...callback, finding: 'login-refused' },
  'server.failed': { finding: 'server-error' },
}

/** The paths of the authorization server's endpoints that clients call, for exchanges that no event is about, such as a refused method. */
export const ENDPOINTS: Readonly<Record<string, MessageKind>> = {
  '/token': 'token_request',
  '/par': 'pushed_authorization_request',
  '/device_authorization': 'device_authorization_request',
  '/bc-authorize': 'backchannel_authentication_request',
}
