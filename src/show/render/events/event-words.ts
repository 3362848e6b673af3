import type { LabEvent } from '../../../protocol/events/event.js'

/** The meaning of an event of a server: the decision, and its rule. */
interface Meaning {
  readonly says: string
  readonly rule?: string
}

const meanings: Readonly<Record<string, Meaning>> = {
  'authorization.requested': {
    says: 'took the request: client, redirect_uri, response_type and scope are registered',
    rule: 'RFC 6749 §4.1.1',
  },
  'authorization.refused': { says: 'refused the authorization request' },
  'login.shown': { says: 'asked the resource owner to log in', rule: 'RFC 6749 §3.1' },
  'login.succeeded': { says: 'knows the resource owner now', rule: 'RFC 6749 §3.1' },
  'login.failed': { says: 'refused the login' },
  'session.resumed': { says: 'knew the browser: no login is needed', rule: 'OpenID Connect Core §3.1.2.3' },
  'consent.shown': { says: 'asked the resource owner to allow the client' },
  'consent.granted': {
    says: 'noted that the resource owner allows the client',
    rule: 'OpenID Connect Core §3.1.2.4',
  },
  'consent.denied': {
    says: 'noted that the resource owner does not allow the client',
    rule: 'OpenID Connect Core §3.1.2.4',
  },
  'consent.applied': {
    says: 'did not ask: the client was allowed before',
    rule: 'OpenID Connect Core §3.1.2.4',
  },
  'consent.failed': { says: 'refused the consent form' },
  'session.ended': { says: 'forgot the browser' },
  'logout_token.sent': {
    says: 'sent a logout token to the client',
    rule: 'OpenID Connect Back-Channel Logout §2.5',
  },
  'logout_token.accepted': {
    says: 'heard from the client that its session has ended',
    rule: 'OpenID Connect Back-Channel Logout §2.8',
  },
  'logout_token.failed': { says: 'heard no confirmation from the client' },
  'logout.framed': {
    says: 'informed the client by a frame of the logout page',
    rule: 'OpenID Connect Front-Channel Logout §3',
  },
  'code.issued': {
    says: 'issued a code, bound to client and redirect_uri, and to the challenge if there is one',
    rule: 'RFC 6749 §4.1.2',
  },
  'code.redeemed': {
    says: 'redeemed the code: its first use, in time, by its own client',
    rule: 'RFC 6749 §4.1.3',
  },
  'code.replayed': { says: 'saw a code come again, and revokes what it brought' },
  'token.issued': { says: 'signed and issued an access token', rule: 'RFC 6749 §5.1' },
  'token.refused': { says: 'refused the token request' },
  'token.revoked': { says: 'revoked a token', rule: 'RFC 7009 §2.1' },
  'id_token.issued': { says: 'issued an id_token', rule: 'OpenID Connect Core §3.1.3.3' },
  'refresh_token.rotated': { says: 'took the refresh token and issued a new one', rule: 'RFC 9700 §4.14.2' },
  'refresh_token.repeated': {
    says: 'answered again: the client lost the answer, and proves the same key',
  },
  'refresh_token.reused': { says: 'saw an old refresh token, and revokes its whole family' },
  'refresh_token.revoked': { says: 'revoked a refresh token', rule: 'RFC 7009 §2.1' },
  'token.introspected': { says: 'answered with what it knows of a token', rule: 'RFC 7662 §2.2' },
  'introspection.refused': { says: 'refused to describe a token' },
  'revocation.refused': { says: 'refused the revocation' },
  'request.pushed': { says: 'kept the pushed request for a moment', rule: 'RFC 9126 §2.2' },
  'push.refused': { says: 'refused the pushed request' },
  'assertion.accepted': {
    says: 'believed the assertion: issuer, signature, audience and times are good, and it is new',
    rule: 'RFC 7521 §5.2',
  },
  'password.refused': { says: 'refused the password', rule: 'RFC 6749 §4.3.2' },
  'userinfo.answered': {
    says: 'returned the claims that the scope allows',
    rule: 'OpenID Connect Core §5.3.2',
  },
  'userinfo.refused': { says: 'refused to return the claims' },
  'device_code.issued': { says: 'issued a device code, and a user code for a person', rule: 'RFC 8628 §3.2' },
  'device_code.approved': { says: 'noted that the person approved the device', rule: 'RFC 8628 §3.3' },
  'device_code.denied': { says: 'noted that the person denied the device', rule: 'RFC 8628 §3.3' },
  'device_authorization.refused': { says: 'refused the device' },
  'user_code.refused': { says: 'refused the user code' },
  'ciba.requested': {
    says: 'asks the person on the page /ciba, and lets the client wait',
    rule: 'OpenID Connect CIBA Core §7.3',
  },
  'ciba.shown': { says: 'showed a person what waits for them', rule: 'OpenID Connect CIBA Core §8' },
  'ciba.approved': { says: 'noted that the person allowed the client', rule: 'OpenID Connect CIBA Core §8' },
  'ciba.denied': { says: 'noted that the person denied the client', rule: 'OpenID Connect CIBA Core §8' },
  'ciba.expired': { says: 'gave up waiting for the person', rule: 'OpenID Connect CIBA Core §11' },
  'ciba.failed': { says: 'did not take the decision' },
  'ciba.refused': { says: 'refused to ask the person' },
  'ciba_ping.sent': {
    says: 'calls the client because the person decided',
    rule: 'OpenID Connect CIBA Core §10.2',
  },
  'ciba_ping.accepted': {
    says: 'has called the client: the person decided',
    rule: 'OpenID Connect CIBA Core §10.2',
  },
  'ciba_ping.failed': { says: 'could not call the client after the decision' },
  'fault.injected': { says: 'failed on purpose, as serve --fail asks' },
  'handshake.failed': { says: 'could not agree on a TLS connection', rule: 'RFC 8446 §4' },
  'loop.blocked': { says: 'answered nobody else for more than a second' },
  'server.failed': { says: 'failed: a bug of this program' },
  'resource.accepted': { says: 'took the access token', rule: 'RFC 6750 §2.1' },
  'resource.refused': { says: 'refused the request' },
  'keys.fetched': { says: 'fetched the keys that sign tokens', rule: 'RFC 8414 §2' },
  'keys.failed': { says: 'could not fetch the keys that sign tokens' },
  'key.made': { says: 'signs with a key of another algorithm too' },
  'key.rotated': { says: 'signs with a new key now' },
  'cluster.token_requested': {
    says: 'issued a token for the service account, for these audiences and this long',
    rule: 'TokenRequest, authentication.k8s.io/v1',
  },
  'cluster.token_reviewed': {
    says: 'reviewed a token: signature, times, account and bound object',
    rule: 'TokenReview, authentication.k8s.io/v1',
  },
  'cluster.key_rotated': { says: 'signs with a new key now' },
  'cluster.request_refused': { says: 'refused the request' },
  'cluster.object_created': { says: 'keeps a new object' },
  'cluster.object_updated': { says: 'keeps a changed object' },
  'cluster.impersonated': { says: 'judges the request as one of the user that it names' },
  'cluster.watch_started': { says: 'reports changes of a collection as they come' },
  'cluster.object_deleted': { says: 'deleted an object, and with it every token that is bound to it' },
  'demo_client.login_started': { says: 'sent the browser to log in', rule: 'RFC 6749 §4.1.1' },
  'demo_client.logged_in': { says: 'logged the person in', rule: 'OpenID Connect Core §3.1.3.7' },
  'demo_client.login_refused': { says: 'refused the login' },
  'demo_client.login_failed': { says: 'could not reach the authorization server' },
  'demo_client.logged_out': {
    says: 'ended the session, and sent the browser to end it at the issuer too',
    rule: 'OpenID Connect RP-Initiated Logout §2',
  },
  'demo_client.logout_accepted': {
    says: 'ended a session, because the authorization server did',
    rule: 'OpenID Connect Back-Channel Logout §2.7',
  },
  'demo_client.logout_refused': { says: 'refused the message about a logout' },
  'demo_client.notes_read': { says: 'showed the notes of the person' },
  'demo_client.note_added': { says: 'keeps a new note' },
  'demo_client.note_deleted': { says: 'deleted a note' },
  'demo_client.request_refused': { says: 'refused the request' },
  'dns.zones_read': { says: 'listed the zones that the credentials reach' },
  'dns.records_read': { says: 'listed records of the zone' },
  'dns.record_created': { says: 'keeps a new record' },
  'dns.record_changed': { says: 'changed a record' },
  'dns.record_deleted': { says: 'deleted a record' },
  'dns.batch_applied': { says: 'changed several records at once, or none' },
  'dns.zone_exported': { says: 'wrote the zone as a BIND file' },
  'dns.zone_imported': { says: 'read records from a BIND file' },
  'dns.events_read': { says: 'listed security events of the zone' },
  'dns.token_verified': { says: 'knows the API token' },
  'dns.refused': { says: 'refused the request' },
  'chat.posted': { says: 'took a post for a chat channel' },
  'chat.refused': { says: 'refused the post' },
}

/** True for an event that refuses something. */
export function isRefusal({ type, authenticated }: LabEvent): boolean {
  return authenticated === false || /[._](refused|failed|reused|replayed|denied)$/.test(type)
}

/** The meaning of an event; an event of another site has its own name. */
export function eventMeaning(type: string): Meaning {
  return Object.hasOwn(meanings, type) ? meanings[type]! : { says: type.replace(/[._]/g, ' ') }
}
