import type { Message } from '../message.js'
import type { ServerWords } from '../words.js'

const REGISTER = 'register this redirect_uri, to the letter'

/** The next move after an error code of a server, for the people of both sides. */
const moves: Readonly<Record<string, string>> = {
  access_denied: 'the user, or a rule of the server, said no: look into the log of the server',
  consent_required: 'the user has to agree first: leave prompt=none out',
  expired_token: 'begin again: the code of the device was good for a short time only',
  insufficient_scope: 'ask for the scope that the API needs',
  interaction_required: 'the user has to do something: leave prompt=none out',
  invalid_client: 'check the client_id, its secret or key, and the way in which it authenticates',
  invalid_dpop_proof: 'check htm, htu, iat and the key of the proof',
  invalid_grant:
    'the code or refresh token expired, was used before, or belongs to another client or redirect_uri',
  invalid_redirect_uri: REGISTER,
  redirect_uri_mismatch: REGISTER,
  invalid_request: 'a parameter is missing, repeated or wrong: compare with the documentation of the server',
  invalid_scope: 'ask for scopes that the server knows and the client may have',
  invalid_token: 'the token expired, was revoked, or is for another API',
  login_required:
    'the user has no session at the server: leave prompt=none out; third-party cookies may be blocked',
  server_error: 'look into the log of the server, at this time',
  temporarily_unavailable: 'try again later',
  unauthorized_client: 'allow the client this grant where it is registered',
  unsupported_grant_type: 'the server does not know this grant_type',
  unsupported_response_type: 'the server, or this client, may not use this response_type',
  use_dpop_nonce: 'repeat the request with the nonce of the DPoP-Nonce header',
}

/** Errors of Microsoft Entra, by the number of their AADSTS code. */
const ENTRA: Readonly<Record<string, string>> = {
  '50011': REGISTER,
  '500113': REGISTER,
  '16000': 'choose one account: send login_hint, or prompt=select_account',
  '50058': moves.login_required!,
  '50105': 'assign the user to the application, or a group of theirs',
  '65001': 'let the user, or an administrator, consent to the permissions first',
  '90094': 'an administrator has to consent to the permissions',
  '70008': 'log in again: the refresh token or code expired',
  '54005': 'send each code once: it was redeemed before',
  '70011': moves.invalid_scope!,
  '700016': 'check the client_id and the tenant: the application is not in this tenant',
  '7000215': 'send the value of the secret, not its id; make a new secret if it expired',
  '7000222': 'make a new secret: this one expired',
  '7000218': 'send the client_secret, or register the application as a public client',
  '9002326': 'register the redirect_uri as one of a single-page application',
  '50194': 'send requests to the endpoint of the tenant, not to /common',
}

/** Returns the next move after what a server said. The redirect_uri is that of the request. */
export function adviceOn(
  { code = '', text = '' }: ServerWords,
  { fields }: Pick<Message, 'fields'>,
): string | undefined {
  const entra = /AADSTS(\d+)/.exec(`${code} ${text}`)?.[1]
  const known = (entra === undefined ? undefined : ENTRA[entra]) ?? errorAdvice(code)
  const isAddress = /redirect[ _-]?ur[il]|callback url|reply (?:url|address)/i.test(`${code} ${text}`)
  if (known !== REGISTER && !isAddress) return known
  const sent = fields.get('redirect_uri')
  return sent === undefined ? REGISTER : `register this redirect_uri for the client, to the letter: ${sent}`
}

/** Returns the next move after an error code; undefined for an unknown one. */
export function errorAdvice(code: string): string | undefined {
  return Object.hasOwn(moves, code) ? moves[code] : undefined
}
