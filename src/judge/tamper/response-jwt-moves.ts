import { decodeIfJwt } from '../../flows/answers/verify-tokens.js'
import type { FormPairs } from '../../protocol/http/form.js'
import { landedPairs } from '../../protocol/oauth/authorization-response.js'
import type { JsonObject } from '../../protocol/values.js'
import { hmacToken, reclaimedToken, selfSignedToken, unsignedToken } from './forged-tokens.js'
import { altered, STRANGER, withValue } from './messages.js'
import type { AnswerMove, NotMade, Refusal } from './move.js'

const refused: Refusal = { by: 'client', errors: ['invalid_response'] }

/** Longest life of a response JWT, in milliseconds (JARM §2.1). */
const LONGEST = 600_000

/** A difference between the clocks of two computers, in milliseconds. */
const LEEWAY = 61_000

type Forged = string | NotMade

/** The answer with another JWT in place of its own, or the reason why none can be made. */
async function forged(
  pairs: FormPairs,
  forge: (jwt: string) => Forged | Promise<Forged>,
): Promise<FormPairs | NotMade> {
  const jwt = pairs.find(([name]) => name === 'response')?.[1] ?? ''
  if (decodeIfJwt(jwt) === undefined) return { problem: 'the answer is encrypted to the client' }
  const made = await forge(jwt)
  return typeof made === 'string' ? withValue(pairs, 'response', () => made) : made
}

/** A JWT with changed claims and a signature of our own: the key of the server is not ours. */
const claiming = (jwt: string, change: JsonObject) => selfSignedToken(reclaimedToken(jwt, change))

const base = { at: 'authorization_response', jwt: true, rule: 'JARM §2.4', expects: [refused] } as const

/** Wrong answers in place of a response JWT (JARM). The client must refuse them before it reads a parameter. */
export const responseJwtMoves: readonly AnswerMove[] = [
  {
    ...base,
    name: 'other-issuer-response',
    does: 'puts a JWT of another issuer in place of the answer',
    risk: 'the client sends the code of an honest server to an attacker’s (mix-up)',
    expects: [{ by: 'client', errors: ['issuer_mismatch'] }],
    change: pairs => forged(pairs, jwt => claiming(jwt, { iss: `https://${STRANGER}` })),
  },
  {
    ...base,
    name: 'other-audience-response',
    does: 'puts an answer for another client in place of the answer',
    risk: 'the client redeems a code that another client was issued',
    change: pairs => forged(pairs, jwt => claiming(jwt, { aud: 'oauth-lab-another-client' })),
  },
  {
    ...base,
    name: 'expired-response',
    needs: 'advance',
    does: 'holds the answer back until its JWT has expired',
    risk: 'an old answer, from a log or a history, works again',
    change: (pairs, { situation }) =>
      forged(pairs, jwt => {
        situation.advance?.(LONGEST + LEEWAY)
        return jwt
      }),
  },
  {
    ...base,
    name: 'unsigned-response',
    does: 'takes the signature off the answer, and says alg: none',
    risk: 'anybody can write the answer: its code, its state, its issuer',
    change: pairs => forged(pairs, unsignedToken),
  },
  {
    ...base,
    name: 'hmac-response',
    does: 'signs the answer with HS256 and the published public key as the secret',
    risk: 'anybody can write the answer: the key is public',
    change: (pairs, { keys }) => forged(pairs, async jwt => hmacToken(jwt, await keys())),
  },
  {
    ...base,
    name: 'foreign-key-response',
    does: 'signs the answer with a key of its own under the name of the server’s key',
    risk: 'anybody can write the answer: its code, its state, its issuer',
    change: pairs => forged(pairs, jwt => selfSignedToken(jwt)),
  },
  {
    ...base,
    name: 'altered-response',
    does: 'puts another code into the JWT, and keeps its signature',
    risk: 'the client redeems a stolen code, and shows its person the account of another',
    change: pairs =>
      forged(pairs, jwt => {
        const { code = '' } = decodeIfJwt(jwt)?.claims ?? {}
        return reclaimedToken(jwt, { code: altered(String(code)) })
      }),
  },
  {
    ...base,
    name: 'plain-response',
    rule: 'JARM §2.3',
    does: 'takes the answer out of its JWT, and sends the parameters as they are',
    risk: 'an attacker takes the signature off by leaving the JWT out',
    change: pairs => {
      const jwt = decodeIfJwt(pairs.find(([name]) => name === 'response')?.[1] ?? '')
      if (jwt === undefined) return { problem: 'the answer is encrypted to the client' }
      return [...pairs.filter(([name]) => name !== 'response'), ...landedPairs(jwt.claims)]
    },
  },
]
