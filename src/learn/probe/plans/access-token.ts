import type { Members, OwnTokens, Plan, RunPlan, Scene } from '../model.js'
import { byEnd, idClaims, RIGHT, textOf } from './parts.js'

/** A client of the attacker's got the tokens from a victim. */
const lie = (
  wrong: string,
  change: (members: Members, tokens: OwnTokens) => Members,
): RunPlan & { readonly wrong: string } => ({
  wrong,
  async tokens({ logIn, request }: Scene) {
    const nonce = request.searchParams.get('nonce') ?? undefined
    const tokens = await logIn({ client: 'other', user: 'victim', nonce })
    return members => change(members, tokens)
  },
})

function withoutIdToken(members: Members, access_token: string): Members {
  const { id_token: _, ...rest } = members
  return { ...rest, access_token }
}

/** Or the reason why a client sees none. */
function audience(members: Members): string {
  if (members.id_token === undefined) return 'no ID token'
  const { aud, sub } = idClaims(members)
  return `an ID token for ${[aud].flat().map(textOf).join(' ')} about ${textOf(sub)}`
}

/**
 * Token substitution (RFC 6749 §10.16, RFC 9700 §4.6, OpenID Connect Core §16.11). To a client that uses only the ID token
 * a wrong access token does no harm, so that lie counts only where the token was used.
 */
export const accessToken: Plan = {
  ...byEnd,
  runs: [
    lie('the tokens that another client got', (members, { access_token, id_token }) =>
      members.id_token === undefined ? { ...members, access_token } : { ...members, access_token, id_token },
    ),
    lie('the access token of another client, and no ID token', (members, { access_token }) =>
      withoutIdToken(members, access_token),
    ),
    {
      ...lie('the access token of another client beside the right ID token', (members, { access_token }) => ({
        ...members,
        access_token,
      })),
      finished: ({ endedWell, used }) => endedWell && used,
    },
    ...[RIGHT, RIGHT, RIGHT],
  ],
  values: ({ scene, issued, told }) => {
    const expected = `an ID token for ${scene.client.client_id} about ${scene.username}`
    const foreign = told.access_token !== issued.access_token && idClaims(told).sub === scene.username
    return [expected, foreign ? `${audience(told)}, with a foreign access token` : audience(told)]
  },
}
