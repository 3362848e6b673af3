import type { JsonObject } from '../../../protocol/values.js'
import { selfSignedToken } from '../forged-tokens.js'
import { STRANGER } from '../messages.js'
import type { Refusal, RegistrationMove } from '../move.js'

const badAddress: Refusal = { by: 'token', status: [400], errors: ['invalid_redirect_uri'] }
const badMetadata: Refusal = { by: 'token', status: [400], errors: ['invalid_client_metadata'] }

/** A registration of another redirect address. */
function redirectTo(uri: string, applicationType?: string) {
  return {
    register: (members: JsonObject): JsonObject => ({
      ...members,
      redirect_uris: [uri],
      ...(applicationType !== undefined && { application_type: applicationType }),
    }),
    kept: ({ redirect_uris: uris }: JsonObject) => Array.isArray(uris) && uris.includes(uri),
  }
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A software statement that nobody but its maker signed. */
async function ownStatement(): Promise<string> {
  const claims = { iss: `https://${STRANGER}`, software_id: 'oauth-lab', client_name: 'A trusted client' }
  const statement = await selfSignedToken(`${part({ alg: 'RS256' })}.${part(claims)}.AA`)
  if (typeof statement === 'string') return statement
  throw new Error(statement.problem)
}

/** An EC key (RFC 7517 Appendix A.1). */
const KEY = {
  kty: 'EC',
  crv: 'P-256',
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
}

/** Registrations that a server must refuse. */
export const registrationMoves: readonly RegistrationMove[] = [
  {
    name: 'script-redirect-registration',
    only: 'mcp',
    at: 'client_registration',
    does: 'registers a javascript: address as its redirect_uri',
    risk: 'the authorization server runs a script of the client in its own pages',
    rule: 'RFC 7591 §5',
    expects: [badAddress, badMetadata],
    ...redirectTo('javascript:alert(document.domain)//'),
  },
  {
    name: 'data-redirect-registration',
    only: 'mcp',
    at: 'client_registration',
    does: 'registers a data: address as its redirect_uri',
    risk: 'the browser opens a page of the client that nobody serves, with the code in its address',
    rule: 'RFC 7591 §5',
    expects: [badAddress, badMetadata],
    ...redirectTo('data:text/html,signed-in'),
  },
  {
    name: 'fragment-redirect-registration',
    only: 'mcp',
    at: 'client_registration',
    does: 'registers an address with a fragment as its redirect_uri',
    risk: 'the answer is hidden from the client behind the fragment',
    rule: 'RFC 6749 §3.1.2',
    expects: [badAddress, badMetadata],
    ...redirectTo('https://client.example/callback#answer'),
  },
  {
    name: 'http-redirect-registration',
    only: 'mcp',
    at: 'client_registration',
    does: 'registers a web application with an http: address on another host',
    risk: 'the code travels in the clear',
    rule: 'RFC 9700 §2.6',
    expects: [badAddress, badMetadata],
    ...redirectTo(`http://${STRANGER}/callback`, 'web'),
  },
  {
    name: 'foreign-software-statement',
    only: 'mcp',
    at: 'client_registration',
    does: 'sends a software statement that it signed with a key of its own',
    risk: 'every client calls itself a client of a maker that the server trusts',
    rule: 'RFC 7591 §2.3',
    expects: [
      {
        by: 'token',
        status: [400, 401, 403],
        errors: ['unapproved_software_statement', 'invalid_software_statement'],
      },
    ],
    register: async members => ({ ...members, software_statement: await ownStatement() }),
    kept: ({ software_statement: statement, client_name: name }) =>
      statement !== undefined || name === 'A trusted client',
  },
  {
    name: 'both-key-sources',
    only: 'mcp',
    at: 'client_registration',
    does: 'registers jwks and jwks_uri together',
    risk: 'two servers read different keys, and one of them is the key of an attacker',
    rule: 'RFC 7591 §2',
    expects: [badMetadata],
    register: members => ({
      ...members,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [KEY] },
      jwks_uri: `https://${STRANGER}/jwks.json`,
    }),
    kept: ({ jwks, jwks_uri: uri }) => jwks !== undefined && uri !== undefined,
  },
]
