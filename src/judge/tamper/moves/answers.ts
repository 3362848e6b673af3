import { landedPairs } from '../../../protocol/oauth/authorization-response.js'
import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import type { JsonObject } from '../../../protocol/values.js'
import {
  alterToken,
  hmacToken,
  reclaimedToken,
  selfSignedToken,
  unsignedToken,
  withForged,
} from '../forged-tokens.js'
import { altered, STRANGER, valueIn, without, withValue } from '../messages.js'
import { type AnswerMove, answerTable, byClient, type Made } from '../move.js'

/** Wrong responses: the user agent tampers, and the client has to refuse. */
export const answerMoves = answerTable({}, [
  {
    name: 'drop-state',
    does: 'takes the state out of the answer',
    risk: 'an attacker makes the client act on an answer it never asked for',
    rule: 'RFC 6749 §10.12',
    expects: [byClient('state_mismatch')],
    change: pairs => without(pairs, 'state'),
  },
  {
    name: 'change-state',
    does: 'changes the state in the answer',
    risk: 'an attacker makes the client act on an answer it never asked for',
    rule: 'RFC 6749 §10.12',
    expects: [byClient('state_mismatch')],
    change: pairs => withValue(pairs, 'state', altered),
  },
  {
    name: 'wrong-iss',
    does: 'lets the answer name another authorization server',
    risk: 'the client sends the code of an honest server to an attacker’s (mix-up)',
    rule: 'RFC 9207 §2.4',
    expects: [byClient('issuer_mismatch')],
    change: pairs => withValue(pairs, 'iss', () => `https://${STRANGER}`),
  },
  {
    name: 'drop-iss',
    does: 'takes the iss out of the answer',
    risk: 'the client cannot know whose code it has (mix-up)',
    rule: 'RFC 9207 §2.4',
    expects: [byClient('issuer_mismatch')],
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
    holds: ['access_token'],
    // A client verifies the access token of the browser by the at_hash beside it, or by its own signature in the implicit grant.
    notHere: ({ flow }) =>
      flow?.asks === 'code' && !flow.brings?.includes('id_token')
        ? 'no id_token says which access token belongs to the answer'
        : undefined,
    does: 'puts another access token into the answer',
    risk: 'the client acts with the token of somebody else, and shows its person the data of another',
    rule: 'OpenID Connect Core §3.2.2.9',
    expects: [byClient('invalid_token')],
    change: pairs => withValue(pairs, 'access_token', alterToken),
  },
])

/** An algorithm that hardly any server announces for id_tokens. */
const UNANNOUNCED = 'RS512'

/** Wrong id_tokens in the answer, and wrong codes beside a right one. The client must refuse them before it redeems the code. */
export const answerTokenMoves = answerTable({ holds: ['id_token'], expects: [byClient('invalid_token')] }, [
  {
    name: 'injected-code',
    holds: ['code', 'id_token'],
    does: 'puts another code beside the id_token (c_hash)',
    risk: 'the client redeems a stolen code, and shows its person the account of another',
    rule: 'OpenID Connect Core §3.3.2.10',
    change: pairs => withValue(pairs, 'code', altered),
  },
  {
    name: 'unsigned-id-token',
    does: 'takes the signature off the id_token in the answer, and says alg: none',
    risk: 'everybody can log in as anybody',
    rule: 'RFC 8725 §3.2',
    change: pairs => withForged(pairs, 'id_token', unsignedToken),
  },
  {
    name: 'hmac-id-token',
    does: 'signs the id_token in the answer with HS256 and the published public key as the secret',
    risk: 'everybody can log in as anybody: the key is public',
    rule: 'RFC 8725 §2.1',
    change: (pairs, { keys }) => withForged(pairs, 'id_token', async token => hmacToken(token, await keys())),
  },
  {
    name: 'unannounced-id-token',
    does: `signs the id_token in the answer with ${UNANNOUNCED}, which the server does not announce`,
    risk: 'an attacker chooses the weakest algorithm that the client knows',
    rule: 'OpenID Connect Core §3.1.3.7',
    change: pairs => withForged(pairs, 'id_token', token => selfSignedToken(token, { alg: UNANNOUNCED })),
  },
  {
    name: 'other-login-id-token',
    needs: 'secondUser',
    does: 'puts the id_token of another login into the answer (nonce)',
    risk: 'a stolen id_token logs its thief in',
    rule: 'OpenID Connect Core §3.2.2.11',
    change: (pairs, { situation: { secondIdToken = '' } }) =>
      withValue(pairs, 'id_token', () => secondIdToken),
  },
])

/** Longest life of a response JWT, in milliseconds (JARM §2.1). */
const LONGEST = 600_000

/** A difference between the clocks of two computers, in milliseconds. */
const LEEWAY = 61_000

const ENCRYPTED = { problem: 'the answer is encrypted to the client' }

/** Puts another JWT in place of the answer. */
const forged =
  (forge: (jwt: string, facts: Parameters<AnswerMove['change']>[1]) => Made<string>): AnswerMove['change'] =>
  (pairs, facts) =>
    withForged(pairs, 'response', jwt => (decodeIfJwt(jwt) === undefined ? ENCRYPTED : forge(jwt, facts)))

/** A JWT with changed claims and a signature of our own: the key of the server is not ours. */
const claiming = (change: JsonObject) => forged(jwt => selfSignedToken(reclaimedToken(jwt, change)))

/** Wrong answers in place of a response JWT (JARM). The client must refuse them before it reads a parameter. */
export const responseJwtMoves = answerTable(
  { jwt: true, rule: 'JARM §2.4', expects: [byClient('invalid_response')] },
  [
    {
      name: 'other-issuer-response',
      does: 'puts a JWT of another issuer in place of the answer',
      risk: 'the client sends the code of an honest server to an attacker’s (mix-up)',
      expects: [byClient('issuer_mismatch')],
      change: claiming({ iss: `https://${STRANGER}` }),
    },
    {
      name: 'other-audience-response',
      does: 'puts an answer for another client in place of the answer',
      risk: 'the client redeems a code that another client was issued',
      change: claiming({ aud: 'oauth-lab-another-client' }),
    },
    {
      name: 'expired-response',
      needs: 'advance',
      does: 'holds the answer back until its JWT has expired',
      risk: 'an old answer, from a log or a history, works again',
      change: forged((jwt, { situation }) => {
        situation.advance?.(LONGEST + LEEWAY)
        return jwt
      }),
    },
    {
      name: 'unsigned-response',
      does: 'takes the signature off the answer, and says alg: none',
      risk: 'anybody can write the answer: its code, its state, its issuer',
      change: forged(unsignedToken),
    },
    {
      name: 'hmac-response',
      does: 'signs the answer with HS256 and the published public key as the secret',
      risk: 'anybody can write the answer: the key is public',
      change: forged(async (jwt, { keys }) => hmacToken(jwt, await keys())),
    },
    {
      name: 'foreign-key-response',
      does: 'signs the answer with a key of its own under the name of the server’s key',
      risk: 'anybody can write the answer: its code, its state, its issuer',
      change: forged(jwt => selfSignedToken(jwt)),
    },
    {
      name: 'altered-response',
      does: 'puts another code into the JWT, and keeps its signature',
      risk: 'the client redeems a stolen code, and shows its person the account of another',
      change: forged(jwt => {
        const { code = '' } = decodeIfJwt(jwt)?.claims ?? {}
        return reclaimedToken(jwt, { code: altered(String(code)) })
      }),
    },
    {
      name: 'plain-response',
      rule: 'JARM §2.3',
      does: 'takes the answer out of its JWT, and sends the parameters as they are',
      risk: 'an attacker takes the signature off by leaving the JWT out',
      change: pairs => {
        const jwt = decodeIfJwt(valueIn(pairs, 'response'))
        return jwt === undefined ? ENCRYPTED : [...without(pairs, 'response'), ...landedPairs(jwt.claims)]
      },
    },
  ],
)
