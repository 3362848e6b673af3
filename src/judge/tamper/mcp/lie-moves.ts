import { answerMembers } from '../../../flows/answers/answer-members.js'
import type { Exchange } from '../../../protocol/http/exchange.js'
import type { JsonObject } from '../../../protocol/values.js'
import { STRANGER } from '../messages.js'
import type { LieMove } from '../move.js'

/** Returns the document of an answer with members changed; undefined for another document, or for an error. */
function changedDocument(
  { response, ...rest }: Exchange,
  isOurs: (members: JsonObject) => boolean,
  changes: (members: JsonObject) => JsonObject,
): Exchange['response'] {
  if (response?.status !== 200) return undefined
  const members: JsonObject = answerMembers({ ...rest, response })
  return isOurs(members) ? { ...response, body: JSON.stringify(changes(members)) } : undefined
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
    expects: [{ by: 'client', errors: ['resource_mismatch'] }],
    lie: exchange =>
      changedDocument(exchange, isResource, members => ({ ...members, resource: `https://${STRANGER}/mcp` })),
  },
  {
    name: 'foreign-issuer-metadata',
    only: 'mcp',
    at: 'discovery_request',
    does: 'lets the metadata of the authorization server name another issuer',
    risk: 'a server answers in the name of another one, and gets the codes of that one (mix-up)',
    rule: 'MCP 2026-07-28 Discovery §3',
    expects: [{ by: 'client', errors: ['issuer_mismatch'] }],
    lie: exchange =>
      changedDocument(exchange, isServer, members => ({ ...members, issuer: `https://${STRANGER}` })),
  },
  {
    name: 'metadata-without-pkce',
    only: 'mcp',
    at: 'discovery_request',
    does: 'takes code_challenge_methods_supported out of the metadata of the authorization server',
    risk: 'the client relies on PKCE at a server that ignores it, and a stolen code is good',
    rule: 'MCP 2026-07-28 Security §4',
    expects: [{ by: 'client', errors: ['no_pkce'] }],
    notHere: ({ flow }) => (flow?.asks === undefined ? 'this grant has no PKCE' : undefined),
    lie: exchange =>
      changedDocument(exchange, isServer, members => {
        const { code_challenge_methods_supported: _, ...rest } = members
        return rest
      }),
  },
  {
    name: 'redirected-message',
    only: 'mcp',
    at: 'tools_request',
    does: 'lets the MCP server redirect a message with the token to another host',
    risk: 'the client sends its token to the host that the redirect names',
    rule: 'MCP 2026-07-28 Authorization §9.2',
    expects: [{ by: 'client', errors: ['invalid_response'] }],
    lie: () => ({ status: 307, headers: [['location', `https://${STRANGER}/mcp`]], body: '' }),
  },
]
