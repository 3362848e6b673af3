import { answerMembers } from '../../../flows/answers/answer-members.js'
import type { JsonObject } from '../../../protocol/values.js'
import { selfSignedToken } from '../forged-tokens.js'
import { STRANGER } from '../messages.js'
import { byClient, type LieMove, registrationTable } from '../move.js'

/** Changes members of a document; any other answer, and an error, stays as it is. */
const changing =
  (isOurs: (members: JsonObject) => boolean, change: (members: JsonObject) => JsonObject): LieMove['lie'] =>
  exchange => {
    const { response } = exchange
    if (response?.status !== 200) return undefined
    const members = answerMembers(exchange)
    return isOurs(members) ? { ...response, body: JSON.stringify(change(members)) } : undefined
  }

const isResource = (members: JsonObject) => 'resource' in members && 'authorization_servers' in members
const isServer = (members: JsonObject) => 'issuer' in members && 'token_endpoint' in members

/** Answers that lie to an MCP client, which has to refuse them. */
export const lieMoves: readonly LieMove[] = [
  {
    name: 'foreign-resource-metadata',
    only: 'mcp',
    at: 'resource_metadata_request',
    does: 'lets the metadata of the MCP server be about another resource',
    risk: 'the client asks for a token for another server, and gives it to this one',
    rule: 'RFC 9728 §3.3',
    expects: [byClient('resource_mismatch')],
    lie: changing(isResource, members => ({ ...members, resource: `https://${STRANGER}/mcp` })),
  },
  {
    name: 'foreign-issuer-metadata',
    only: 'mcp',
    at: 'discovery_request',
    does: 'lets the metadata of the authorization server name another issuer',
    risk: 'a server answers in the name of another one, and gets the codes of that one (mix-up)',
    rule: 'MCP 2026-07-28 Discovery §3',
    expects: [byClient('issuer_mismatch')],
    lie: changing(isServer, members => ({ ...members, issuer: `https://${STRANGER}` })),
  },
  {
    name: 'metadata-without-pkce',
    only: 'mcp',
    at: 'discovery_request',
    does: 'takes code_challenge_methods_supported out of the metadata of the authorization server',
    risk: 'the client relies on PKCE at a server that ignores it, and a stolen code is good',
    rule: 'MCP 2026-07-28 Security §4',
    expects: [byClient('no_pkce')],
    notHere: ({ flow }) => (flow?.asks === undefined ? 'this grant has no PKCE' : undefined),
    lie: changing(isServer, ({ code_challenge_methods_supported: _, ...rest }) => rest),
  },
  {
    name: 'redirected-message',
    only: 'mcp',
    at: 'tools_request',
    does: 'lets the MCP server redirect a message with the token to another host',
    risk: 'the client sends its token to the host that the redirect names',
    rule: 'MCP 2026-07-28 Authorization §9.2',
    expects: [byClient('invalid_response')],
    lie: () => ({ status: 307, headers: [['location', `https://${STRANGER}/mcp`]], body: '' }),
  },
]

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

const badMetadata = { by: 'token', status: [400], errors: ['invalid_client_metadata'] } as const
const badAddress = { by: 'token', status: [400], errors: ['invalid_redirect_uri'] } as const

/** Registrations that a server must refuse. */
export const registrationMoves = registrationTable({ only: 'mcp', expects: [badAddress, badMetadata] }, [
  {
    name: 'script-redirect-registration',
    does: 'registers a javascript: address as its redirect_uri',
    risk: 'the authorization server runs a script of the client in its own pages',
    rule: 'RFC 7591 §5',
    ...redirectTo('javascript:alert(document.domain)//'),
  },
  {
    name: 'data-redirect-registration',
    does: 'registers a data: address as its redirect_uri',
    risk: 'the browser opens a page of the client that nobody serves, with the code in its address',
    rule: 'RFC 7591 §5',
    ...redirectTo('data:text/html,signed-in'),
  },
  {
    name: 'fragment-redirect-registration',
    does: 'registers an address with a fragment as its redirect_uri',
    risk: 'the answer is hidden from the client behind the fragment',
    rule: 'RFC 6749 §3.1.2',
    ...redirectTo('https://client.example/callback#answer'),
  },
  {
    name: 'http-redirect-registration',
    does: 'registers a web application with an http: address on another host',
    risk: 'the code travels in the clear',
    rule: 'RFC 9700 §2.6',
    ...redirectTo(`http://${STRANGER}/callback`, 'web'),
  },
  {
    name: 'foreign-software-statement',
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
])
