import { randomBytes } from 'node:crypto'
import { makeClientAssertion } from '../../protocol/tokens/client-assertion.js'
import { STRANGER, withValue } from './messages.js'
import type { Refusal, Situation, TokenMove } from './move.js'
import type { TokenMessage } from './token-message.js'

const refused: Refusal = { by: 'token', errors: ['invalid_client'] }

function needsKey({ key }: Situation): string | undefined {
  return key === undefined ? 'the client signs no assertion: --client-key' : undefined
}

/** Why a server may accept other audiences: only some profiles forbid them. */
const onlyStrict = () => 'only a strict server, as FAPI 2.0 asks for, refuses it: RFC 7523 §3 allows it'

/** The request with an assertion of the client's own key for another audience. */
async function assertedTo(
  message: TokenMessage,
  { key, client: { clientId }, now = Date.now }: Situation,
  audience: string | readonly string[],
): Promise<TokenMessage> {
  if (key === undefined) return message
  const assertion = await makeClientAssertion(key, { clientId, audience }, { now, random: randomBytes })
  return { ...message, pairs: withValue(message.pairs, 'client_assertion', () => assertion) }
}

/** Assertions by which a client authenticates, made for somebody else than this one server. */
export const clientAssertionMoves: readonly TokenMove[] = [
  {
    name: 'other-issuer-client-assertion',
    at: 'token_request',
    does: 'authenticates by an assertion that is for another server',
    risk: 'a server that receives an assertion can act as the client elsewhere',
    rule: 'RFC 7523 §3',
    expects: [refused],
    notHere: needsKey,
    change: (message, situation) => assertedTo(message, situation, `https://${STRANGER}`),
  },
  {
    name: 'endpoint-client-assertion',
    at: 'token_request',
    does: 'authenticates by an assertion that names the token endpoint, and not the issuer',
    risk: 'a malicious server that claims the endpoint of another gets assertions that are good there',
    rule: 'draft-ietf-oauth-rfc7523bis §4',
    expects: [refused],
    notHere: needsKey,
    optional: true,
    harmless: onlyStrict,
    change: (message, situation) => assertedTo(message, situation, message.url),
  },
  {
    name: 'listed-client-assertion',
    at: 'token_request',
    does: 'authenticates by an assertion whose audience is a list with the issuer in it',
    risk: 'every other server in the list can act as the client',
    rule: 'draft-ietf-oauth-rfc7523bis §4',
    expects: [refused],
    notHere: situation =>
      needsKey(situation) ?? (situation.issuer === undefined ? 'the issuer is not known' : undefined),
    optional: true,
    harmless: onlyStrict,
    change: (message, situation) =>
      assertedTo(message, situation, [situation.issuer ?? '', `https://${STRANGER}`]),
  },
]
