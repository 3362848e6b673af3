import { tokenHash } from '../../../protocol/tokens/verify.js'
import type { Members, OwnLogin, OwnTokens, Plan, RunPlan, Scene } from '../model.js'
import { byTokens, idClaims, RIGHT, readableIdToken, textOf } from './parts.js'

/** From another login of the liar. */
const lie = (
  wrong: string,
  login: (scene: Scene) => OwnLogin,
  part: (tokens: OwnTokens) => Members,
): RunPlan => ({
  wrong,
  async tokens(scene) {
    const other = await scene.logIn(login(scene))
    return members => (members.id_token === undefined ? members : { ...members, ...part(other) })
  },
})

const ownNonce = ({ request }: Scene): string | undefined => request.searchParams.get('nonce') ?? undefined

const accessToken = ({ access_token }: OwnTokens): Members => ({ access_token })
const idToken = ({ id_token }: OwnTokens): Members => ({ id_token })

function hashOf(members: Members): string {
  const id = readableIdToken(members)
  return id === undefined ? '' : tokenHash(textOf(members.access_token), textOf(id.header.alg))
}

/** OpenID Connect Core §3.1.3.8: two genuine tokens that do not belong together. */
export const atHash: Plan = {
  ...byTokens,
  runs: [
    lie(
      'the access token of another login of the same user',
      () => ({ client: 'own', user: 'same' }),
      accessToken,
    ),
    lie(
      'the ID token of another login, with the right nonce',
      scene => ({ client: 'own', user: 'same', nonce: ownNonce(scene) }),
      idToken,
    ),
    lie('the access token of somebody else', () => ({ client: 'own', user: 'victim' }), accessToken),
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ told }) => [textOf(idClaims(told).at_hash), hashOf(told)],
}
