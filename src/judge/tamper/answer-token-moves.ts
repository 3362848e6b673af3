import type { FormPairs } from '../../protocol/http/form.js'
import { hmacToken, selfSignedToken, unsignedToken } from './forged-tokens.js'
import { altered, withValue } from './messages.js'
import type { AnswerMove, NotMade, Refusal } from './move.js'

const refused: Refusal = { by: 'client', errors: ['invalid_token'] }

/** An algorithm that hardly any server announces for id_tokens. */
const UNANNOUNCED = 'RS512'

/** The answer with a forged id_token in place of its own, or the reason why none can be made. */
async function forged(
  pairs: FormPairs,
  forge: (idToken: string) => string | NotMade | Promise<string | NotMade>,
): Promise<FormPairs | NotMade> {
  const made = await forge(pairs.find(([name]) => name === 'id_token')?.[1] ?? '')
  return typeof made === 'string' ? withValue(pairs, 'id_token', () => made) : made
}

/** Wrong id_tokens in the answer, and wrong codes beside a right one. The client must refuse them before it redeems the code. */
export const answerTokenMoves: readonly AnswerMove[] = [
  {
    name: 'injected-code',
    at: 'authorization_response',
    holds: ['code', 'id_token'],
    does: 'puts another code beside the id_token (c_hash)',
    risk: 'the client redeems a stolen code, and shows its person the account of another',
    rule: 'OpenID Connect Core §3.3.2.10',
    expects: [refused],
    change: pairs => withValue(pairs, 'code', altered),
  },
  {
    name: 'unsigned-id-token',
    at: 'authorization_response',
    holds: ['id_token'],
    does: 'takes the signature off the id_token in the answer, and says alg: none',
    risk: 'everybody can log in as anybody',
    rule: 'RFC 8725 §3.2',
    expects: [refused],
    change: pairs => forged(pairs, unsignedToken),
  },
  {
    name: 'hmac-id-token',
    at: 'authorization_response',
    holds: ['id_token'],
    does: 'signs the id_token in the answer with HS256 and the published public key as the secret',
    risk: 'everybody can log in as anybody: the key is public',
    rule: 'RFC 8725 §2.1',
    expects: [refused],
    change: (pairs, { keys }) => forged(pairs, async token => hmacToken(token, await keys())),
  },
  {
    name: 'unannounced-id-token',
    at: 'authorization_response',
    holds: ['id_token'],
    does: `signs the id_token in the answer with ${UNANNOUNCED}, which the server does not announce`,
    risk: 'an attacker chooses the weakest algorithm that the client knows',
    rule: 'OpenID Connect Core §3.1.3.7',
    expects: [refused],
    change: pairs => forged(pairs, token => selfSignedToken(token, { alg: UNANNOUNCED })),
  },
  {
    name: 'other-login-id-token',
    at: 'authorization_response',
    holds: ['id_token'],
    needs: 'secondUser',
    does: 'puts the id_token of another login into the answer (nonce)',
    risk: 'a stolen id_token logs its thief in',
    rule: 'OpenID Connect Core §3.2.2.11',
    expects: [refused],
    change: (pairs, { situation: { secondIdToken = '' } }) =>
      withValue(pairs, 'id_token', () => secondIdToken),
  },
]
