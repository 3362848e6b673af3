import type { LabEvent } from './events.js'

/**
 * The texts of an event: its meaning for readers of a list, the decision as its server would say it, and the rule of
 * the decision. Without a decision the name of the event stands for it.
 */
type EventTexts = readonly [meaning: string, says?: string, rule?: string]

/**
 * Every event of a lab, in the order of a request's life. The types of their members stand beside the servers; the
 * compiler holds both equal (session/api/events.ts).
 */
export const EVENTS = {
  'request.answered': ['a request was answered, by whichever site'],
  'handshake.failed': [
    'a TLS handshake failed, as for a client that does not trust the CA; plain HTTP was answered 400',
    'could not agree on a TLS connection',
    'RFC 8446 §4',
  ],
  'authorization.requested': [
    'a client asks for a code or tokens, and may have them',
    'took the request: client, redirect_uri, response_type and scope are registered',
    'RFC 6749 §4.1.1',
  ],
  'authorization.refused': [
    'it may not: shown on a page, or sent to the client by a redirect',
    'refused the authorization request',
  ],
  'request_object.accepted': ['a request object was verified: its parameters count'],
  'request_object.fetched': ['a request object was fetched from the request_uri of a client'],
  'request_object.failed': ['a request object could not be fetched from its request_uri'],
  'request.pushed': [
    'a client pushed its authorization request (RFC 9126)',
    'kept the pushed request for a moment',
    'RFC 9126 §2.2',
  ],
  'push.refused': ['a pushed request was refused', 'refused the pushed request'],
  'login.shown': ['the login page was shown', 'asked the resource owner to log in', 'RFC 6749 §3.1'],
  'login.failed': ['a wrong password, a form from elsewhere, or too many tries', 'refused the login'],
  'login.succeeded': ['a resource owner logged in', 'knows the resource owner now', 'RFC 6749 §3.1'],
  'second_factor.shown': ['the page that asks for a one-time code was shown'],
  'second_factor.failed': ['a wrong or used code, a form from elsewhere, or too many tries'],
  'second_factor.succeeded': ['a one-time code made the login stronger'],
  'session.resumed': [
    'the resource owner was logged in already',
    'knew the browser: no login is needed',
    'OpenID Connect Core §3.1.2.3',
  ],
  'consent.shown': [
    'the resource owner is logged in, and is asked to allow a client',
    'asked the resource owner to allow the client',
  ],
  'consent.granted': [
    'the resource owner allowed the client on that page',
    'noted that the resource owner allows the client',
    'OpenID Connect Core §3.1.2.4',
  ],
  'consent.denied': [
    'the resource owner did not allow it',
    'noted that the resource owner does not allow the client',
    'OpenID Connect Core §3.1.2.4',
  ],
  'consent.applied': [
    'the resource owner was not asked: the client was allowed before',
    'did not ask: the client was allowed before',
    'OpenID Connect Core §3.1.2.4',
  ],
  'consent.failed': ['a consent form from elsewhere, or of another login', 'refused the consent form'],
  'session.ended': ['the resource owner logged out', 'forgot the browser'],
  'logout_token.sent': [
    'a logout token was sent to a client',
    'sent a logout token to the client',
    'OpenID Connect Back-Channel Logout §2.5',
  ],
  'logout_token.accepted': [
    'a client confirmed a logout token',
    'heard from the client that its session has ended',
    'OpenID Connect Back-Channel Logout §2.8',
  ],
  'logout_token.failed': ['a client did not confirm a logout token', 'heard no confirmation from the client'],
  'logout.framed': [
    'the logout page informed a client by a frame',
    'informed the client by a frame of the logout page',
    'OpenID Connect Front-Channel Logout §3',
  ],
  'logout.shown': ['the logout page was shown'],
  'logout.refused': ['a logout request was refused'],
  'code.issued': [
    'an authorization code was issued',
    'issued a code, bound to client and redirect_uri, and to the challenge if there is one',
    'RFC 6749 §4.1.2',
  ],
  'code.redeemed': [
    'a code was redeemed for tokens',
    'redeemed the code: its first use, in time, by its own client',
    'RFC 6749 §4.1.3',
  ],
  'code.replayed': [
    'a code came a second time: what it brought is revoked',
    'saw a code come again, and revokes what it brought',
  ],
  'token.issued': [
    'an access token was issued, by whichever grant',
    'signed and issued an access token',
    'RFC 6749 §5.1',
  ],
  'client.registered': ['a client registered itself (RFC 7591)'],
  'client.updated': ['a registered client changed its metadata (RFC 7592)'],
  'client.deleted': ['a registered client is gone, and its codes and tokens count no longer'],
  'registration.refused': ['a request to register or manage a client was refused'],
  'client_keys.fetched': ['the keys of a client were fetched from its jwks_uri'],
  'client_keys.failed': ['the keys of a client could not be fetched from its jwks_uri'],
  'sector_document.fetched': ['the redirect_uris of a sector were fetched from its sector_identifier_uri'],
  'sector_document.failed': ['the redirect_uris of a sector could not be fetched'],
  'client_document.fetched': [
    'the document at the address that is a client_id was fetched: the client is known',
  ],
  'client_document.refused': ['the document at the address that is a client_id is missing, or breaks a rule'],
  'resource_metadata.fetched': ['the metadata of a resource names this issuer: tokens are issued for it'],
  'resource_metadata.failed': ['the metadata of a resource could not be read, or name another issuer'],
  'token.refused': ['a token request was refused', 'refused the token request'],
  'token.revoked': ['an access token is good no longer', 'revoked a token', 'RFC 7009 §2.1'],
  'token.introspected': [
    'somebody asked whether a token is active',
    'answered with what it knows of a token',
    'RFC 7662 §2.2',
  ],
  'id_token.issued': ['an id_token was issued', 'issued an id_token', 'OpenID Connect Core §3.1.3.3'],
  'refresh_token.rotated': [
    'a refresh token was used and replaced',
    'took the refresh token and issued a new one',
    'RFC 9700 §4.14.2',
  ],
  'refresh_token.repeated': [
    'a client that lost an answer got it again: same key, within 45 seconds',
    'answered again: the client lost the answer, and proves the same key',
  ],
  'refresh_token.reused': [
    'a refresh token came a second time: its family is revoked',
    'saw an old refresh token, and revokes its whole family',
  ],
  'refresh_token.revoked': ['a refresh token is good no longer', 'revoked a refresh token', 'RFC 7009 §2.1'],
  'revocation.refused': ['a revocation request was refused', 'refused the revocation'],
  'introspection.refused': ['an introspection request was refused', 'refused to describe a token'],
  'assertion.accepted': [
    'an assertion was taken as a grant',
    'believed the assertion: issuer, signature, audience and times are good, and it is new',
    'RFC 7521 §5.2',
  ],
  'client_secret.unencoded': [
    'a client sent its secret in a Basic header as it is, which other servers refuse',
    'took the secret as it was sent: RFC 6749 wants id and secret form-encoded before base64',
    'RFC 6749 §2.3.1',
  ],
  'password.refused': [
    'the password grant met a wrong password, or too many tries',
    'refused the password',
    'RFC 6749 §4.3.2',
  ],
  'userinfo.answered': [
    'claims of a resource owner were given out',
    'returned the claims that the scope allows',
    'OpenID Connect Core §5.3.2',
  ],
  'userinfo.refused': ['claims of a user were refused', 'refused to return the claims'],
  'claims.answered': ['distributed claims of a user were given out, signed'],
  'claims.refused': ['distributed claims were refused'],
  'device_code.issued': [
    'a device asks to be let in',
    'issued a device code, and a user code for a person',
    'RFC 8628 §3.2',
  ],
  'device_code.approved': [
    'the resource owner let it in',
    'noted that the person approved the device',
    'RFC 8628 §3.3',
  ],
  'device_code.denied': [
    'the resource owner did not',
    'noted that the person denied the device',
    'RFC 8628 §3.3',
  ],
  'device_authorization.refused': ['a device may not ask', 'refused the device'],
  'user_code.refused': ['a user code that nobody has, or too many tries', 'refused the user code'],
  'ciba.requested': [
    'a client asks for a person, who decides on the page that the event names',
    'asks the person on the page /ciba, and lets the client wait',
    'OpenID Connect CIBA Core §7.3',
  ],
  'ciba.shown': [
    'a person sees the requests that wait for them',
    'showed a person what waits for them',
    'OpenID Connect CIBA Core §8',
  ],
  'ciba.approved': [
    'the resource owner allowed the client that asked',
    'noted that the person allowed the client',
    'OpenID Connect CIBA Core §8',
  ],
  'ciba.denied': [
    'the resource owner did not',
    'noted that the person denied the client',
    'OpenID Connect CIBA Core §8',
  ],
  'ciba.expired': [
    'nobody decided about the request of a client in time',
    'gave up waiting for the person',
    'OpenID Connect CIBA Core §11',
  ],
  'ciba.failed': [
    'a decision that did not count: a stale form, or a request that is over',
    'did not take the decision',
  ],
  'ciba.refused': ['a client may not ask for a person', 'refused to ask the person'],
  'ciba_ping.sent': [
    'a client is called because the person has decided',
    'calls the client because the person decided',
    'OpenID Connect CIBA Core §10.2',
  ],
  'ciba_ping.accepted': [
    'the client knows that the person has decided',
    'has called the client: the person decided',
    'OpenID Connect CIBA Core §10.2',
  ],
  'ciba_ping.failed': [
    'the client could not be called; it may still poll',
    'could not call the client after the decision',
  ],
  'fault.injected': ['a request failed because it was asked to', 'failed on purpose, as serve --fail asks'],
  'resource.accepted': ['the resource server took a token', 'took the access token', 'RFC 6750 §2.1'],
  'resource.refused': ['the resource server took none, or not this one', 'refused the request'],
  'keys.fetched': [
    'the resource server fetched the published keys',
    'fetched the keys that sign tokens',
    'RFC 8414 §2',
  ],
  'keys.failed': ['it could not', 'could not fetch the keys that sign tokens'],
  'key.made': [
    'the first key of an algorithm signs from now on',
    'signs with a key of another algorithm too',
  ],
  'attack.ended': ['an attack ended while a lesson ran; only the event file has this event'],
  'doctor.ended': ['an examination ended while a lesson ran; only the event file has this event'],
  'key.rotated': ['another key signs from now on', 'signs with a new key now'],
  'cluster.token_requested': [
    'a service account token was issued',
    'issued a token for the service account, for these audiences and this long',
    'TokenRequest, authentication.k8s.io/v1',
  ],
  'cluster.token_reviewed': [
    'somebody asked which account a token belongs to',
    'reviewed a token: signature, times, account and bound object',
    'TokenReview, authentication.k8s.io/v1',
  ],
  'cluster.request_refused': ['the API server refused a request', 'refused the request'],
  'cluster.object_created': ['an object was made', 'keeps a new object'],
  'cluster.object_updated': ['an object was changed', 'keeps a changed object'],
  'cluster.object_deleted': [
    'an object was deleted',
    'deleted an object, and with it every token that is bound to it',
  ],
  'cluster.impersonated': [
    'a request acts in the name of another user',
    'judges the request as one of the user that it names',
  ],
  'cluster.watch_started': [
    'a client watches a collection of objects',
    'reports changes of a collection as they come',
  ],
  'cluster.key_rotated': ['another key signs the cluster’s tokens from now on', 'signs with a new key now'],
  'dns.zones_read': ['zones were listed', 'listed the zones that the credentials reach'],
  'dns.records_read': ['records of a zone were listed', 'listed records of the zone'],
  'dns.record_created': ['a record was made', 'keeps a new record'],
  'dns.record_changed': ['a record was changed', 'changed a record'],
  'dns.record_deleted': ['a record was deleted', 'deleted a record'],
  'dns.batch_applied': ['many records were changed at once', 'changed several records at once, or none'],
  'dns.zone_exported': ['a zone was written as a file', 'wrote the zone as a BIND file'],
  'dns.zone_imported': ['a zone file was read', 'read records from a BIND file'],
  'dns.events_read': ['security events were read', 'listed security events of the zone'],
  'dns.token_verified': ['a token was asked about', 'knows the API token'],
  'dns.refused': ['the DNS API refused a request', 'refused the request'],
  'chat.posted': ['a chat webhook took a post', 'took a post for a chat channel'],
  'chat.refused': ['a chat webhook refused one', 'refused the post'],
  'demo_client.login_started': [
    'the demo client sent a browser to an authorization server',
    'sent the browser to log in',
    'RFC 6749 §4.1.1',
  ],
  'demo_client.logout_accepted': [
    'an authorization server ended a session of the demo client',
    'ended a session, because the authorization server did',
    'OpenID Connect Back-Channel Logout §2.7',
  ],
  'demo_client.logout_refused': [
    'the demo client refused a message about a logout',
    'refused the message about a logout',
  ],
  'demo_client.logged_in': [
    'the demo client accepted a login, and started a session',
    'logged the person in',
    'OpenID Connect Core §3.1.3.7',
  ],
  'demo_client.login_refused': ['the demo client refused to start or to finish a login', 'refused the login'],
  'demo_client.login_failed': [
    'a login at the demo client stopped: the authorization server could not be reached',
    'could not reach the authorization server',
  ],
  'demo_client.logged_out': [
    'a person logged out of the demo client',
    'ended the session, and sent the browser to end it at the issuer too',
    'OpenID Connect RP-Initiated Logout §2',
  ],
  'demo_client.notes_read': ['a person read the own notes', 'showed the notes of the person'],
  'demo_client.note_added': ['a person added a note', 'keeps a new note'],
  'demo_client.note_deleted': ['a person deleted a note', 'deleted a note'],
  'demo_client.request_refused': [
    'the demo client refused another request, such as a form of another site',
    'refused the request',
  ],
  'loop.blocked': [
    'a request held the server for more than a second',
    'answered nobody else for more than a second',
  ],
  'server.failed': ['a bug was met; the client was answered 500', 'failed: a bug of this program'],
} satisfies Readonly<Record<string, EventTexts>>

/** True for an event that refuses something. */
export function isRefusal({ type, authenticated }: LabEvent): boolean {
  return authenticated === false || /[._](refused|failed|reused|replayed|denied)$/.test(type)
}

/** The decision of an event, and its rule; an event of another site has its own name. */
export function eventDecision(type: string): { readonly says: string; readonly rule: string | undefined } {
  const known: EventTexts | undefined = Object.hasOwn(EVENTS, type)
    ? EVENTS[type as keyof typeof EVENTS]
    : undefined
  return { says: known?.[1] ?? type.replace(/[._]/g, ' '), rule: known?.[2] }
}
