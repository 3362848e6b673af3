import { describe, expect, it } from 'vitest'
import { CLUSTER_KEYS } from '../../../src/lab/keys/signing-keys.js'
import { generateSigningKeyPem, signJwt } from '../../../src/protocol/tokens/keys.js'
import type { ClusterSettings } from '../../../src/servers/kubernetes/emulator/settings.js'
import { key, testCluster } from './support.js'

const ISSUER = 'https://id.example'
const other = await CLUSTER_KEYS.load(await generateSigningKeyPem())
const entry = { issuer: ISSUER, clientId: 'kube', usernameClaim: 'sub', usernamePrefix: 'oidc:' }

type Entry = ClusterSettings['oidc'][number]

/** The review of an ID token with these claims by a cluster that trusts its issuer. */
async function reviewed(claims: object, own: Partial<Entry> = {}, signer = key) {
  let fetched = 0
  const jwks = (kids: readonly (typeof key)[]) =>
    ({ kind: 'jwks', jwks: { keys: kids.map(each => each.publicJwk) } }) as const
  const first = jwks([key])
  const cluster = testCluster(
    { oidc: [{ ...entry, ...own }] },
    {
      issuerKeys: () => ({
        current: async () => first,
        newerThan: async () => {
          fetched += 1
          return jwks([key, other])
        },
      }),
    },
  )
  const now = cluster.clock.now / 1000
  const token = await signJwt(
    { iss: ISSUER, sub: 'alice', aud: 'kube', exp: now + 60, ...claims },
    signer,
    'JWT',
  )
  return { ...(await cluster.review(token)), fetched }
}

describe('an ID token of a trusted issuer', () => {
  it('authenticates its user, for the audience of the API server', async () => {
    expect(await reviewed({})).toMatchObject({
      authenticated: true,
      user: { username: 'oidc:alice', groups: ['system:authenticated'] },
      audiences: ['https://localhost:8445'],
    })
  })

  it.each([
    [{ usernamePrefix: '-' }, 'alice'],
    [{ usernameClaim: 'email' }, 'oidc:a@example.com'],
  ] as const)('names its user by %j', async (own, username) => {
    const claims = { email: 'a@example.com', email_verified: true }
    expect((await reviewed(claims, own)).user).toMatchObject({ username })
  })

  it('has the issuer as prefix without a setting, and none before an e-mail address', async () => {
    const bare = { issuer: ISSUER, clientId: 'kube' }
    const named = async (usernameClaim: string) => {
      const cluster = testCluster(
        { oidc: [{ ...bare, usernameClaim }] },
        {
          issuerKeys: () => ({
            current: async () => ({ kind: 'jwks', jwks: { keys: [key.publicJwk] } }),
            newerThan: async seen => seen,
          }),
        },
      )
      const exp = cluster.clock.now / 1000 + 60
      const claims = { iss: ISSUER, sub: 'alice', email: 'a@example.com', aud: ['x', 'kube'], exp }
      return (await cluster.review(await signJwt(claims, key, 'JWT'))).user?.username
    }
    expect([await named('sub'), await named('email')]).toEqual([`${ISSUER}#alice`, 'a@example.com'])
  })

  const DEV_OPS = ['dev', 'ops']
  it.each([
    [DEV_OPS, ['g:dev', 'g:ops']],
    ['dev', ['g:dev']],
    [undefined, []],
  ])('has groups of the claim %j', async (groups, names) => {
    const { user } = await reviewed({ groups }, { groupsClaim: 'groups', groupsPrefix: 'g:' })
    expect(user?.groups).toEqual([...names, 'system:authenticated'])
  })

  it.each([
    [{ aud: 'other' }, {}, 'oidc: verify token: oidc: expected audience "kube" got ["other"]'],
    [{ exp: 1 }, {}, 'oidc: verify token: oidc: token is expired (Token Expiry: 1970-01-01T00:00:01Z)'],
    [{ exp: undefined }, {}, 'token is expired'],
    [{ nbf: 9e9 }, {}, 'before the nbf'],
    [{ sub: '' }, {}, 'oidc: parse username claims "sub": claim not present'],
    [{}, { usernameClaim: '__proto__' }, 'claim not present'],
    [{ email: 'a@b', email_verified: false }, { usernameClaim: 'email' }, 'oidc: email not verified'],
    [{ groups: [1] }, { groupsClaim: 'groups' }, 'oidc: parse groups claim "groups"'],
  ])('with %j and %j is refused', async (claims, own, error) => {
    const review = await reviewed(claims, own)
    expect([review.authenticated, review.error]).toEqual([undefined, expect.stringContaining(error)])
    expect(review.error).toMatch(/^\[invalid bearer token, /)
  })

  it('may be signed with a new key, which is fetched once', async () => {
    expect(await reviewed({}, {}, other)).toMatchObject({ authenticated: true, fetched: 1 })
    const stranger = await CLUSTER_KEYS.load(await generateSigningKeyPem())
    expect((await reviewed({}, {}, stranger)).error).toContain('failed to verify id token signature')
  })

  it('of an issuer that is not trusted is no token', async () => {
    expect((await reviewed({ iss: 'https://evil.example' })).error).toBe('invalid bearer token')
  })
})
