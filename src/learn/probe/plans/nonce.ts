import { randomBytes } from 'node:crypto'
import type { Members, OwnTokens, Plan, RunPlan, Scene } from '../model.js'
import { byTokens, idClaims, RIGHT, textOf } from './parts.js'

/** Tokens of another login. A client that asked for no ID token gets none. */
const swapped =
  ({ access_token, id_token }: OwnTokens) =>
  (members: Members): Members => ({
    ...members,
    access_token,
    ...(members.id_token === undefined ? {} : { id_token }),
  })

/** The same user and client, with this nonce. */
const lie = (wrong: string, nonce: (scene: Scene) => string | undefined): RunPlan => ({
  wrong,
  tokens: async scene => swapped(await scene.logIn({ client: 'own', user: 'same', nonce: nonce(scene) })),
})

/** OpenID Connect Core §3.1.3.7 item 11. Each wrong ID token is a real one of another login. */
export const nonce: Plan = {
  ...byTokens,
  runs: [
    {
      ...lie('the nonce of another login', ({ earlier }) => earlier?.searchParams.get('nonce') ?? undefined),
      needsEarlier: true,
    },
    lie('no nonce at all', () => undefined),
    lie('a nonce that nobody sent', () => randomBytes(16).toString('base64url')),
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ issued, told }) => [textOf(idClaims(issued).nonce), textOf(idClaims(told).nonce)],
}
