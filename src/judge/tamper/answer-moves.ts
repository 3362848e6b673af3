import { alterToken } from './forged-tokens.js'
import { altered, STRANGER, without, withValue } from './messages.js'
import type { AnswerMove } from './move.js'

const stateRefused = { by: 'client', errors: ['state_mismatch'] } as const
const issuerRefused = { by: 'client', errors: ['issuer_mismatch'] } as const

/** Wrong responses: the user agent tampers, and the client has to refuse. */
export const answerMoves: readonly AnswerMove[] = [
  {
    name: 'drop-state',
    at: 'authorization_response',
    does: 'takes the state out of the answer',
    risk: 'an attacker makes the client act on an answer it never asked for',
    rule: 'RFC 6749 §10.12',
    expects: [stateRefused],
    change: pairs => without(pairs, 'state'),
  },
  {
    name: 'change-state',
    at: 'authorization_response',
    does: 'changes the state in the answer',
    risk: 'an attacker makes the client act on an answer it never asked for',
    rule: 'RFC 6749 §10.12',
    expects: [stateRefused],
    change: pairs => withValue(pairs, 'state', altered),
  },
  {
    name: 'wrong-iss',
    at: 'authorization_response',
    does: 'lets the answer name another authorization server',
    risk: 'the client sends the code of an honest server to an attacker’s (mix-up)',
    rule: 'RFC 9207 §2.4',
    expects: [issuerRefused],
    change: pairs => withValue(pairs, 'iss', () => `https://${STRANGER}`),
  },
  {
    name: 'drop-iss',
    at: 'authorization_response',
    does: 'takes the iss out of the answer',
    risk: 'the client cannot know whose code it has (mix-up)',
    rule: 'RFC 9207 §2.4',
    expects: [issuerRefused],
    notHere: ({ issPromised, flow }) => {
      if (!issPromised) return 'the server promises no iss'
      return flow?.brings?.includes('id_token')
        ? 'the iss may be left out beside an id_token (RFC 9207 §4)'
        : undefined
    },
    change: pairs => without(pairs, 'iss'),
  },
  {
    name: 'altered-answer-token',
    at: 'authorization_response',
    holds: ['access_token'],
    // A client verifies the access token of the browser by the at_hash beside it, or by its own signature in the implicit grant.
    notHere: ({ flow }) =>
      flow?.asks === 'code' && !flow.brings?.includes('id_token')
        ? 'no id_token says which access token belongs to the answer'
        : undefined,
    does: 'puts another access token into the answer',
    risk: 'the client acts with the token of somebody else, and shows its person the data of another',
    rule: 'OpenID Connect Core §3.2.2.9',
    expects: [{ by: 'client', errors: ['invalid_token'] }],
    change: pairs => withValue(pairs, 'access_token', alterToken),
  },
]
