import { describe, expect, it } from 'vitest'
import { explainReview } from '../../../../src/servers/kubernetes/client/explain-review.js'
import { compareGranted } from '../../../../src/servers/kubernetes/client/granted.js'
import {
  readServiceAccountToken,
  secondsUntilRenewal,
  timeline,
} from '../../../../src/servers/kubernetes/client/service-account-token.js'
import { token } from './support.js'

const TOKEN = 'oauth-lab k8s token demo -n lab --audience api'

describe('explainReview', () => {
  it.each(
    Object.entries({
      '[invalid bearer token, token audiences ["api"] is invalid for the target audiences ["other"]]': [
        /another audience: it has api, the review wants other/,
        `${TOKEN} --audience other --bind pod/web-0`,
      ],
      '[invalid bearer token, service account token has expired]': [/expired/, `${TOKEN} --bind pod/web-0`],
      '[invalid bearer token, service account token is not valid yet]': [/future/, undefined],
      '[invalid bearer token, serviceaccounts "demo" not found]': [
        /account demo is gone/,
        'oauth-lab k8s accounts create demo -n lab',
      ],
      '[invalid bearer token, service account UID (A) does not match claim (B)]': [
        /deleted and made again/,
        `${TOKEN} --bind pod/web-0`,
      ],
      '[invalid bearer token, service account token has been invalidated]': [
        /pod web-0 it is bound to is gone/,
        TOKEN,
      ],
      '[invalid bearer token, pod UID (A) does not match service account pod ref claim (B)]': [
        /the pod it is bound to was deleted and made again/,
        `${TOKEN} --bind pod/web-0`,
      ],
      '[invalid bearer token, square/go-jose: error in cryptographic primitive]': [
        /signature is not by a key of this cluster/,
        undefined,
      ],
      '[invalid bearer token, invalid signature, no keys found]': [/kid names no key/, 'oauth-lab k8s jwks'],
      'invalid bearer token': [/does not know it/, 'oauth-lab k8s discovery'],
    } as const),
  )('%s', (error, [verdict, fix]) => {
    const explained = explainReview({ error }, { audiences: ['other'], token })
    expect(explained).toMatchObject({ authenticated: false, verdict: expect.stringMatching(verdict) })
    expect(explained.fix?.join(' ')).toBe(fix)
  })

  it('shows both uids of an account that was made again', () => {
    const error = '[invalid bearer token, service account UID (new) does not match claim (old)]'
    const { notes } = explainReview({ error }, { audiences: [], token })
    expect(notes.join('\n')).toMatch(/now +new\n.*token +old/)
  })

  it('warns of an answer that a check of authenticated alone would accept', () => {
    const anonymous = { authenticated: true, user: { username: 'system:anonymous' } }
    const { authenticated, notes } = explainReview(anonymous, { audiences: ['api'] })
    expect(authenticated).toBe(true)
    expect(notes.join(' ')).toMatch(/nobody.*names no audiences/)
  })

  it('reads an absent authenticated as false', () => {
    expect(explainReview({ user: {} }, { audiences: [] }).authenticated).toBe(false)
  })
})

describe('compareGranted', () => {
  const granted = (asked: Parameters<typeof compareGranted>[0], change: object = {}) =>
    compareGranted(asked, { ...token, ...change })

  it.each([
    ['as asked', 600, 600, 'as_asked'],
    ['cut by the maximum', 31_536_000, 172_800, 'shortened'],
    ['a mounted token for the API server', 3607, 31_536_000, 'extended'],
    ['the default', undefined, 3600, 'default'],
  ] as const)('%s', (_, asked, lifetime, change) => {
    const expires = (token.issuedAt ?? 0) + lifetime
    const wish = { audiences: ['api'], ...(asked !== undefined && { expirationSeconds: asked }) }
    expect(granted(wish, { expires })).toMatchObject({ lifetime, lifetimeChange: change })
  })

  it('names the servers that accept it: the API server only with its own audience', () => {
    expect(granted({ audiences: ['api'] }).acceptedBy).toEqual([
      { name: 'api', accepts: 'yes' },
      expect.objectContaining({
        name: 'the API server',
        accepts: 'unless',
        fix: ['--audience', 'api', '--audience', 'https://issuer.example'],
      }),
    ])
    const both = { audiences: ['api', 'https://issuer.example'] }
    expect(granted(both, both).acceptedBy.at(-1)).toEqual({ name: 'the API server', accepts: 'yes' })
    expect(granted({ audiences: [] }, { audiences: ['https://x'] }).acceptedBy.at(-1)?.accepts).toBe('yes')
  })

  it('names audiences that were not granted', () => {
    expect(granted({ audiences: ['api', 'vault'] }).missingAudiences).toEqual(['vault'])
  })
})

describe('the timeline of a token', () => {
  it('has a renewal at 80 %, an end, and 60 s of leeway', () => {
    const iat = 1_700_000_000_000
    expect(timeline(token).map(({ name, at }) => [name, (at - iat) / 1000])).toEqual([
      ['iat', 0],
      ['renewal', 480],
      ['exp', 600],
      ['leeway', 660],
    ])
  })

  it('counts from warnafter when the token lives longer than requested', () => {
    const mounted = { ...token, expires: 1_731_536_000, warnAfter: 1_700_003_607 }
    expect(timeline(mounted).map(({ name }) => name)).toEqual([
      ...['iat', 'renewal', 'warnafter', 'exp', 'leeway'],
    ])
    expect(timeline(mounted)[1]?.at).toBe((1_700_000_000 + 3607 * 0.8) * 1000)
  })

  it('is renewed at least once a day', () => {
    expect(secondsUntilRenewal(600)).toBe(480)
    expect(secondsUntilRenewal(31_536_000)).toBe(86_400)
  })
})

describe('the claims of a service account token', () => {
  const read = (claims: Record<string, unknown>) =>
    readServiceAccountToken({ header: {}, claims, parts: ['', '', ''] })

  it('are read from kubernetes.io, or from sub alone', () => {
    const pod = { name: 'web-0', uid: 'p' }
    const account = { name: 'demo', uid: 'u' }
    const own = { namespace: 'lab', serviceaccount: account, pod, node: { name: 'n', uid: 'm' } }
    expect(read({ sub: 'system:serviceaccount:lab:demo', aud: 'api', 'kubernetes.io': own })).toMatchObject({
      namespace: 'lab',
      account,
      boundTo: { kind: 'pod', ...pod },
      node: { name: 'n' },
      audiences: ['api'],
    })
    const alone = read({ sub: 'system:serviceaccount:a:b' })
    expect(alone).toMatchObject({ namespace: 'a', account: { name: 'b' } })
  })

  it.each([
    ...[{}, { sub: 'alice' }, { sub: 7, 'kubernetes.io': 'x' }, { 'kubernetes.io': { namespace: 1 } }],
  ])('are missing in %j', claims => expect(read(claims)).toBeUndefined())
})
