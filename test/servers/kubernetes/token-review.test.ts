import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fixedKeyring, publicPem, signJwt } from '../../../src/protocol/tokens/keys.js'
import type { TokenReview } from '../../../src/servers/kubernetes/shapes.js'
import { ADMIN, BASE, key, LIMITED, REVIEW_PATH, statusOf, testCluster } from './support.js'

const bad = (problem: string) => ({ user: {}, error: `[invalid bearer token, ${problem}]` })
const unknown = { user: {}, error: 'invalid bearer token' }
const pod = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'web-0' } }
const CONTAINER = { name: 'main', image: 'pause' }
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The claims of a token of `demo`, changed. */
async function forged(cluster: ReturnType<typeof testCluster>, change: Record<string, unknown>) {
  const account = await cluster.account('demo')
  const now = cluster.clock.now / 1000
  const claims = {
    aud: [BASE],
    exp: now + 600,
    iat: now,
    iss: BASE,
    jti: 'j',
    nbf: now,
    sub: 'x',
    'kubernetes.io': { namespace: 'lab', serviceaccount: { name: 'demo', uid: account.metadata?.uid } },
  }
  return { ...claims, ...change }
}

describe('a token review finds', () => {
  it('a good token, with the text and the order of the real server', async () => {
    const cluster = testCluster()
    const token = await cluster.requestToken({ audiences: ['api'] })
    const body = {
      metadata: { name: 'check' },
      spec: { token, audiences: ['api'] },
      status: { authenticated: false, user: { username: 'root' } },
    }
    const headers = [['user-agent', 'kubectl/v1.32.4']] as const
    const answer = await cluster.ask('POST', `${REVIEW_PATH}?fieldManager=kubectl-create`, { body, headers })
    expect(answer.status).toBe(201)
    const { uid } = (await cluster.account('demo')).metadata ?? {}
    const jti = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).jti
    const managed =
      '[{"manager":"kubectl-create","operation":"Update","apiVersion":"authentication.k8s.io/v1","time":"2026-11-21T12:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:audiences":{},"f:token":{}}}}]'
    const user = `{"username":"system:serviceaccount:lab:demo","uid":"${uid}","groups":["system:serviceaccounts","system:serviceaccounts:lab","system:authenticated"],"extra":{"authentication.kubernetes.io/credential-id":["JTI=${jti}"]}}`
    expect(answer.text).toBe(
      `{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{"name":"check","creationTimestamp":null,"managedFields":${managed}},"spec":{"token":"${token}","audiences":["api"]},"status":{"authenticated":true,"user":${user},"audiences":["api"]}}\n`,
    )
  })

  it('the same with a namespace in the body, because a review has none', async () => {
    const cluster = testCluster()
    const token = await cluster.requestToken({ audiences: ['api'] })
    const body = { metadata: { name: 'check', namespace: 'lab' }, spec: { token, audiences: ['api'] } }
    const { status, json, text } = await cluster.ask('POST', REVIEW_PATH, { body })
    expect(status).toBe(201)
    const good = { metadata: { name: 'check' }, status: { authenticated: true } }
    expect(json<TokenReview>()).toMatchObject(good)
    expect(text).not.toContain('"namespace"')
  })

  it('the audiences that both have, in the order of the review', async () => {
    const { requestToken, review } = testCluster()
    const token = await requestToken({ audiences: ['a', 'b', 'c'] })
    expect(await review(token, ['c', 'x', 'a'])).toMatchObject({ authenticated: true, audiences: ['c', 'a'] })
    expect(await review(await requestToken())).toMatchObject({ audiences: [BASE] })
  })

  it('another audience, named as Go names it', async () => {
    const { requestToken, review } = testCluster()
    const token = await requestToken({ audiences: ['api', 'a "b"'] })
    expect(await review(token, ['other'])).toEqual(
      bad('token audiences ["api" "a \\"b\\""] is invalid for the target audiences ["other"]'),
    )
    expect((await review(token)).error).toContain(`for the target audiences ["${BASE}"]`)
  })

  it('pod and node of a token that is bound to a pod', async () => {
    const { requestToken, review } = testCluster()
    const { user } = await review(await requestToken(pod))
    expect(Object.keys(user?.extra ?? {})).toEqual(
      ['credential-id', 'node-name', 'node-uid', 'pod-name', 'pod-uid'].map(
        each => `authentication.kubernetes.io/${each}`,
      ),
    )
    expect(user?.extra?.['authentication.kubernetes.io/pod-name']).toEqual(['web-0'])
  })

  it.each([
    ['expired since 5 s', 605, undefined],
    ['expired since 60 s', 660, undefined],
    ['expired since 61 s', 661, 'service account token has expired'],
    ['from 59 s ahead', -59, undefined],
    ['from 61 s ahead', -61, 'service account token is not valid yet'],
  ])('a token %s', async (_, seconds, problem) => {
    const { requestToken, review, clock } = testCluster()
    const token = await requestToken({ expirationSeconds: 600 })
    clock.now += seconds * 1000
    expect(await review(token)).toEqual(
      problem ? bad(problem) : expect.objectContaining({ authenticated: true }),
    )
  })

  it('a token that was issued in the future', async () => {
    const cluster = testCluster()
    const iat = cluster.clock.now / 1000 + 100
    const token = await signJwt(await forged(cluster, { iat }), key, null)
    expect(await cluster.review(token)).toEqual(bad('service account token is issued in the future'))
  })

  it('an account that is gone, and one that was created again', async () => {
    const { requestToken, review, ask, account } = testCluster()
    const token = await requestToken()
    const path = '/api/v1/namespaces/lab/serviceaccounts'
    const before = (await account('demo')).metadata?.uid
    await ask('DELETE', `${path}/demo`)
    expect(await review(token)).toEqual(bad('serviceaccounts "demo" not found'))
    await ask('POST', path, { body: { metadata: { name: 'demo' } } })
    const after = (await account('demo')).metadata?.uid
    expect(after).not.toBe(before)
    const problem = `service account UID (${after}) does not match claim (${before})`
    expect(await review(token)).toEqual(bad(problem))
  })

  it.each([
    ['Pod', 'pods', 'web-0', { spec: { serviceAccountName: 'demo', containers: [CONTAINER] } }],
    ['Secret', 'secrets', 'demo-key', {}],
  ])('a %s that is gone, and one that was created again', async (kind, resource, name, more) => {
    const { requestToken, review, ask } = testCluster()
    const token = await requestToken({ boundObjectRef: { kind, apiVersion: 'v1', name } })
    expect(await review(token)).toMatchObject({ authenticated: true })
    const path = `/api/v1/namespaces/lab/${resource}`
    await ask('DELETE', `${path}/${name}`)
    expect(await review(token)).toEqual(bad('service account token has been invalidated'))
    await ask('POST', path, { body: { metadata: { name }, ...more } })
    const word = kind.toLowerCase()
    expect((await review(token)).error).toMatch(
      new RegExp(
        `^\\[invalid bearer token, ${word} UID \\(.*\\) does not match service account ${word} ref claim \\(.*\\)\\]$`,
      ),
    )
  })

  it('a node that is gone, where the token is bound to it alone', async () => {
    const { requestToken, review, ask } = testCluster()
    const toNode = await requestToken({ boundObjectRef: { kind: 'Node', apiVersion: 'v1', name: 'node-1' } })
    const toPod = await requestToken(pod)
    await ask('DELETE', '/api/v1/nodes/node-1')
    expect(await review(toNode)).toEqual(bad('service account token has been invalidated'))
    expect(await review(toPod)).toMatchObject({ authenticated: true })
  })

  it('that a deleted namespace takes its objects with it', async () => {
    const { requestToken, review, ask, events } = testCluster()
    const token = await requestToken()
    await ask('DELETE', '/api/v1/namespaces/lab')
    expect(await review(token)).toEqual(bad('serviceaccounts "demo" not found'))
    const gone = events.filter(({ type }) => type === 'cluster.object_deleted')
    expect(gone.map(({ kind, name }) => `${kind}/${name}`)).toEqual(
      expect.arrayContaining(['Namespace/lab', 'Pod/web-0', 'Secret/demo-key', 'ServiceAccount/demo']),
    )
  })

  it('signatures that are not its own', async () => {
    const cluster = testCluster()
    const claims = base64(await forged(cluster, {}))
    const crypto = bad('square/go-jose: error in cryptographic primitive')
    const none = `${base64({ alg: 'none', kid: key.kid })}.${claims}.`
    expect(await cluster.review(none)).toEqual(crypto)
    const hs = `${base64({ alg: 'HS256', kid: key.kid })}.${claims}`
    const mac = createHmac('sha256', publicPem(key)).update(hs).digest('base64url')
    expect(await cluster.review(`${hs}.${mac}`)).toEqual(crypto)
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const rs = (kid?: string) => {
      const input = `${base64({ alg: 'RS256', ...(kid && { kid }) })}.${claims}`
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`
    }
    expect(await cluster.review(rs(key.kid))).toEqual(crypto)
    expect(await cluster.review(rs())).toEqual(crypto)
    expect(await cluster.review(rs('nobody'))).toEqual(bad('invalid signature, no keys found'))
  })

  it.each([
    ['garbage', 'garbage'],
    ['three parts of garbage', 'a.b.c'],
    ['a foreign token', `${base64({ alg: 'RS256' })}.${base64({ iss: 'https://idp.example' })}.x`],
    ['a token after a space', ' x'],
    ['a token after a line', '\nx'],
    ['a megabyte', 'x'.repeat(1_000_000)],
  ])('%s unknown', async (_, token) => expect(await testCluster().review(token)).toEqual(unknown))

  it('no anonymous user in a good token after a space', async () => {
    const { requestToken, review } = testCluster()
    const token = await requestToken()
    expect(await review(` ${token}`)).toEqual(unknown)
    expect(await review(`${token}\n`)).toMatchObject({ authenticated: true })
    expect(await review(`${token} x`)).toMatchObject({ authenticated: true })
  })

  it('tokens good whose sub, missing aud or single aud the real server does not check', async () => {
    const cluster = testCluster()
    const reviewed = async (change: Record<string, unknown>) =>
      cluster.review(await signJwt(await forged(cluster, change), key, null))
    expect(await reviewed({ sub: 'system:serviceaccount:lab:other' })).toMatchObject({
      user: { username: 'system:serviceaccount:lab:demo' },
    })
    expect(await reviewed({ aud: undefined })).toMatchObject({ authenticated: true, audiences: [BASE] })
    expect(await reviewed({ aud: BASE })).toMatchObject({ authenticated: true })
  })

  it('claims of any shape without a failure', async () => {
    const cluster = testCluster()
    for (const value of [
      null,
      1,
      'x',
      [],
      { serviceaccount: 1 },
      { serviceaccount: { name: {}, uid: [] } },
    ]) {
      const token = await signJwt(await forged(cluster, { 'kubernetes.io': value, exp: 'x' }), key, null)
      expect(await cluster.review(token)).toEqual(bad('serviceaccounts "" not found'))
    }
  })

  it('people by their bearers, for the audiences of the API server', async () => {
    const { review } = testCluster()
    expect(await review(ADMIN)).toEqual({
      authenticated: true,
      user: { username: 'admin', uid: 'uid-admin', groups: ['system:masters', 'system:authenticated'] },
      audiences: [BASE],
    })
    expect(await review(ADMIN, ['api'])).toEqual(unknown)
  })

  it('tokens of a retired key while the key is published', async () => {
    const { generateSigningKeyPem } = await import('../../../src/protocol/tokens/keys.js')
    const { CLUSTER_KEYS } = await import('../../../src/lab/keys/signing-keys.js')
    const next = await CLUSTER_KEYS.load(await generateSigningKeyPem())
    let current = key
    let published = [key]
    const keyring = () => ({
      current: () => current,
      published: () => ({ keys: published.map(each => each.publicJwk) }),
    })
    const cluster = testCluster(
      {},
      { keyring: async () => (current === key ? fixedKeyring(key) : keyring()) },
    )
    const token = await cluster.requestToken()
    current = next
    published = [next, key]
    expect(await cluster.review(token)).toMatchObject({ authenticated: true })
    expect(await cluster.review(await cluster.requestToken())).toMatchObject({ authenticated: true })
    published = [next]
    expect(await cluster.review(token)).toEqual(bad('invalid signature, no keys found'))
  })
})

describe('a token review is refused', () => {
  it('without a token', async () => {
    for (const body of ['{}', '{"spec":{}}', '{"spec":{"token":""}}']) {
      expect(statusOf(await testCluster().ask('POST', REVIEW_PATH, { body }))).toMatchObject({
        code: 400,
        message: 'token is required for TokenReview in authentication',
      })
    }
  })

  it('to somebody without rights', async () => {
    const answer = await testCluster().ask('POST', REVIEW_PATH, {
      bearer: LIMITED,
      body: { spec: { token: 'x' } },
    })
    expect(statusOf(answer)).toMatchObject({
      code: 403,
      details: { group: 'authentication.k8s.io', kind: 'tokenreviews' },
      message:
        'tokenreviews.authentication.k8s.io is forbidden: User "limited" cannot create resource "tokenreviews" in API group "authentication.k8s.io" at the cluster scope',
    })
  })

  it('to a service account: as unknown with the wrong audience, else as forbidden', async () => {
    const { ask, requestToken, events } = testCluster()
    const body = { spec: { token: 'x' } }
    const wrong = await ask('POST', REVIEW_PATH, { bearer: await requestToken({ audiences: ['api'] }), body })
    expect(wrong.status).toBe(401)
    expect(events.at(-1)).toMatchObject({
      why: `[invalid bearer token, token audiences ["api"] is invalid for the target audiences ["${BASE}"]]`,
    })
    expect((await ask('POST', REVIEW_PATH, { bearer: await requestToken(), body })).status).toBe(403)
  })

  it.each([
    ['GET', REVIEW_PATH, 405],
    ['POST', '/apis/authentication.k8s.io/v1/namespaces/lab/tokenreviews', 404],
    ['POST', '/apis/authentication.k8s.io/v1beta1/tokenreviews', 404],
    ['GET', `${REVIEW_PATH}/x`, 404],
  ])('at %s %s with %i', async (method, path, code) => {
    expect(statusOf(await testCluster().ask(method, path, { body: {} }))).toMatchObject({ code, details: {} })
  })

  it('with an event that has neither token', async () => {
    const { ask, events } = testCluster()
    const token = `${'s3cr3t'.repeat(10)}`
    const answer = await ask('POST', REVIEW_PATH, { body: { spec: { token, audiences: ['api'] } } })
    expect(answer.json<TokenReview>().status).toEqual(unknown)
    expect(events).toMatchObject([
      { type: 'cluster.token_reviewed', authenticated: false, error: 'invalid bearer token', by: 'admin' },
    ])
    expect(JSON.stringify(events)).not.toContain(token.slice(0, 20))
  })
})
