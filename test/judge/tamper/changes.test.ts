import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { AssertionWords } from '../../../src/flows/requests/assertion-source.js'
import type { TokenMessage } from '../../../src/judge/tamper/messages.js'
import type { Limits } from '../../../src/judge/tamper/move.js'
import { documentMoves } from '../../../src/judge/tamper/moves/documents.js'
import { missingFor, moves } from '../../../src/judge/tamper/moves.js'
import { shapeOf } from '../../../src/judge/tamper/shape.js'
import type { Situation } from '../../../src/judge/tamper/situation.js'
import { encodeForm, type FormPairs } from '../../../src/protocol/http/form.js'
import { bytes, text } from '../../../src/protocol/http/message.js'
import { basicHeader } from '../../../src/protocol/oauth/client-auth.js'
import { loadClientKey } from '../../../src/protocol/tokens/client-assertion.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { ecKey, makeJwt } from '../../protocol/tokens/jwt-maker.js'
import { move } from './named-move.js'

const situation: Situation = {
  client: { clientId: 'demo', clientSecret: 'demo-secret', auth: 'client_secret_basic' },
  other: { clientId: 'other', clientSecret: 'o', auth: 'client_secret_post' },
  publicClient: { clientId: 'spa', auth: 'none' },
  redirectUri: 'http://127.0.0.1:7000/callback',
  credentials: { username: 'alice', password: 'wonderland' },
  pkce: true,
  challengeMethods: ['S256'],
  issPromised: true,
  resourceServer: false,
}
const { other: _other, publicClient: _public, ...alone } = situation

/** The pairs as `name=value`: those that went, and those that came. */
function difference(before: FormPairs, after: FormPairs): { gone: string[]; come: string[] } {
  const written = (pairs: FormPairs) => pairs.map(([name, value]) => `${name}=${value}`)
  const beyond = (list: string[], other: string[]) => {
    const rest = [...other]
    return list.filter(each => {
      const at = rest.indexOf(each)
      if (at >= 0) rest.splice(at, 1)
      return at < 0
    })
  }
  const [was, is] = [written(before), written(after)]
  return { gone: beyond(was, is), come: beyond(is, was) }
}

type Change = [name: string, gone: string[], come: string[]]

const request: FormPairs = [
  ['response_type', 'code'],
  ['client_id', 'demo'],
  ['redirect_uri', 'http://127.0.0.1:7000/callback'],
  ['scope', 'openid'],
  ['state', 's'],
  ['code_challenge', 'c'],
  ['code_challenge_method', 'S256'],
  ['request_uri', 'urn:1234'],
]

/** The authorization request as a move changes it. */
function asked(name: string, pairs = request, where = situation): FormPairs {
  const wrong = move(name)
  if (wrong.at !== 'authorization_request') throw new Error(`${name} changes another message`)
  return wrong.change(pairs, where, [])
}

describe('a wrong authorization request', () => {
  it.each<Change>([
    ['unknown-client', ['client_id=demo'], ['client_id=oauth-lab-no-such-client']],
    ['repeated-parameter', [], ['redirect_uri=https://attacker.example/callback']],
    ['unknown-response-type', ['response_type=code'], ['response_type=oauth-lab-no-such-type']],
    ['unregistered-response-type', ['response_type=code'], ['response_type=token']],
    ['scope-escalation', ['scope=openid'], ['scope=openid oauth-lab:no-such-scope']],
    ['unknown-resource', [], ['resource=https://oauth-lab-no-such-resource.example']],
    ['unknown-details-type', [], ['authorization_details=[{"type":"oauth-lab-no-such-type"}]']],
    ['no-challenge', ['code_challenge=c', 'code_challenge_method=S256'], []],
    ['plain-challenge', ['code_challenge_method=S256'], ['code_challenge_method=plain']],
    ['downgrade-pkce', ['code_challenge=c', 'code_challenge_method=S256'], []],
    ['guessed-request-uri', ['request_uri=urn:1234'], ['request_uri=urn:A234']],
    ['other-client-request-uri', ['client_id=demo'], ['client_id=other']],
  ])('%s changes its part and no other', (name, gone, come) => {
    expect(difference(request, asked(name))).toEqual({ gone, come })
  })

  it('sends the second redirect_uri behind the first', () => {
    expect(asked('repeated-parameter').at(-1)).toEqual(['redirect_uri', 'https://attacker.example/callback'])
  })

  it('asks for the unknown scope alone where it asks for no other', () => {
    expect(asked('scope-escalation', [])).toEqual([['scope', 'oauth-lab:no-such-scope']])
  })

  it('keeps its client where no second one is known', () => {
    expect(asked('other-client-request-uri', request, alone)).toEqual(request)
  })

  const app = 'https://app.example/cb'
  const next = 'next=https%3A%2F%2Fattacker.example'
  it.each<[name: string, registered: string, wrong: string]>([
    ['unregistered-redirect-uri', app, 'https://attacker.example/callback'],
    ['redirect-uri-user-info', `${app}?a=1`, 'https://app.example@attacker.example/cb?a=1'],
    ['redirect-uri-user-info', 'http://[::1]:7000/cb', 'http://[::1]:7000@attacker.example/cb'],
    ['redirect-uri-user-info', 'http://a.example/?to=b://c', 'http://a.example@attacker.example/?to=b://c'],
    ['redirect-uri-user-info', 'org.example:/cb', 'https://@attacker.example'],
    ['redirect-uri-look-alike', app, 'https://app.example.attacker.example/cb'],
    ['redirect-uri-look-alike', 'HTTPS://app.example', 'HTTPS://app.example.attacker.example'],
    ['redirect-uri-look-alike', 'https://app.example?x', 'https://app.example.attacker.example?x'],
    ['redirect-uri-look-alike', 'http://127.0.0.1:7000/cb', 'http://127.0.0.1.attacker.example:7000/cb'],
    ['redirect-uri-look-alike', 'http://[::1]:7000/cb', 'http://---1-.attacker.example:7000/cb'],
    ['redirect-uri-look-alike', 'a+b-c.1://app/cb', 'a+b-c.1://app.attacker.example/cb'],
    ['redirect-uri-path', app, `${app}/elsewhere`],
    ['redirect-uri-path', `${app}/`, `${app}/elsewhere`],
    ['redirect-uri-path', `${app}?a=/`, `${app}/elsewhere?a=/`],
    ['redirect-uri-query', app, `${app}?${next}`],
    ['redirect-uri-query', `${app}?a=1`, `${app}?a=1&${next}`],
    ['redirect-uri-fragment', app, `${app}#elsewhere`],
    ['redirect-uri-script', app, 'javascript:alert(1)'],
  ])('%s makes of %s the address %s', (name, registered, wrong) => {
    expect(asked(name, [['redirect_uri', registered]])).toEqual([['redirect_uri', wrong]])
  })
})

describe('a wrong login form', () => {
  const form = {
    method: 'POST',
    url: 'https://lab.test/authorization',
    headers: [
      ['Cookie', 'login=1'],
      ['Origin', 'https://lab.test'],
      ['Referer', 'https://lab.test/authorization'],
      ['content-type', 'application/x-www-form-urlencoded'],
    ] as const,
    body: bytes('csrf=123&user=alice&pass=wonderland&remember=on'),
  }
  const sent = (name: string) => {
    const wrong = move(name)
    if (wrong.at !== 'login') throw new Error(`${name} changes another message`)
    return wrong.change(form, situation, 'https://lab.test/authorization?client_id=web')
  }

  it('no-csrf-value has only what the person typed, and comes from a foreign page', () => {
    const { headers, body, ...rest } = sent('no-csrf-value')
    expect(rest).toEqual({ method: 'POST', url: 'https://lab.test/authorization' })
    expect(text(body)).toBe('user=alice&pass=wonderland')
    expect(headers).toEqual([
      ['Cookie', 'login=1'],
      ['Origin', 'https://attacker.example'],
      ['content-type', 'application/x-www-form-urlencoded'],
    ])
  })

  it('no-csrf-cookie has everything but the cookie', () => {
    expect(sent('no-csrf-cookie')).toEqual({ ...form, headers: form.headers.slice(1) })
  })
})

describe('a wrong answer of the authorization server', () => {
  const answer: FormPairs = [
    ['code', 'c'],
    ['state', 'abc'],
    ['iss', 'https://lab.test'],
    ['access_token', 'opaque'],
    ['id_token', 'mine'],
  ]
  const facts = { situation: { secondIdToken: 'theirs' } as Situation, keys: async () => undefined }
  it.each<Change>([
    ['drop-state', ['state=abc'], []],
    ['change-state', ['state=abc'], ['state=aAc']],
    ['wrong-iss', ['iss=https://lab.test'], ['iss=https://attacker.example']],
    ['drop-iss', ['iss=https://lab.test'], []],
    ['altered-answer-token', ['access_token=opaque'], ['access_token=opaAue']],
    ['injected-code', ['code=c'], ['code=A']],
    ['other-login-id-token', ['id_token=mine'], ['id_token=theirs']],
  ])('%s changes its part and no other', async (name, gone, come) => {
    const wrong = move(name)
    if (wrong.at !== 'authorization_response') throw new Error(`${name} changes another message`)
    const changed = await wrong.change(answer, facts)
    if ('problem' in changed) throw new Error(changed.problem)
    expect(difference(answer, changed)).toEqual({ gone, come })
  })

  it.each([
    ['unsigned-id-token', { alg: 'none' }],
    ['unannounced-id-token', { alg: 'RS512' }],
  ])('%s forges the id_token', async (name, header) => {
    const wrong = move(name)
    if (wrong.at !== 'authorization_response') throw new Error(`${name} changes another message`)
    const changed = await wrong.change([['id_token', jwt]], facts)
    if ('problem' in changed) throw new Error(changed.problem)
    expect(decodeJwt(changed[0]?.[1] ?? '')).toMatchObject({ header, claims })
  })

  it.each([
    ['hmac-id-token', jwt, 'no RSA key'],
    ['unsigned-id-token', 'opaque', 'no JWT'],
  ])('%s says why it cannot be made', async (name, token, why) => {
    const wrong = move(name)
    if (wrong.at !== 'authorization_response') throw new Error(`${name} changes another message`)
    expect(await wrong.change([['id_token', token]], facts)).toEqual({
      problem: expect.stringContaining(why),
    })
  })
})

const claims = { iss: 'https://lab.test', sub: 'alice', aud: 'demo', exp: 2_000_000_000 }
const jwt = makeJwt(ecKey(), {}, claims)

const basic = basicHeader('demo', 'demo-secret')
const message: TokenMessage = {
  method: 'POST',
  url: 'https://lab.test/token',
  headers: [
    ['accept', 'application/json'],
    ['Content-Type', 'application/x-www-form-urlencoded'],
    basic,
    ['DPoP', 'proof'],
  ],
  pairs: [
    ['grant_type', 'authorization_code'],
    ['code', 'abcd'],
    ['redirect_uri', 'http://127.0.0.1/cb'],
    ['code_verifier', '12345'],
    ['scope', 'openid'],
    ['refresh_token', 'r1r'],
    ['device_code', 'd1d'],
    ['username', 'alice'],
    ['password', 'AAA'],
    ['client_assertion_type', 'jwt'],
    ['client_assertion', 'a.b'],
    ['subject_token', jwt],
    ['assertion', jwt],
  ],
}
const assertion = ['client_assertion_type=jwt', 'client_assertion=a.b']

/** The token request as a move changes it. */
async function traded(
  name: string,
  {
    of = message,
    where = situation,
    seen = {},
  }: { of?: TokenMessage; where?: Situation; seen?: Limits } = {},
): Promise<TokenMessage> {
  const wrong = move(name)
  if (wrong.at !== 'token_request') throw new Error(`${name} changes another message`)
  const changed = await wrong.change(of, where, seen)
  if ('problem' in changed) throw new Error(changed.problem)
  return changed
}

describe('a wrong token request', () => {
  it.each<Change>([
    ['guessed-code', ['code=abcd'], ['code=abAd']],
    [
      'wrong-redirect-uri',
      ['redirect_uri=http://127.0.0.1/cb'],
      ['redirect_uri=http://127.0.0.1/cb/elsewhere'],
    ],
    ['missing-redirect-uri', ['redirect_uri=http://127.0.0.1/cb'], []],
    ['wrong-verifier', ['code_verifier=12345'], ['code_verifier=12A45']],
    ['missing-verifier', ['code_verifier=12345'], []],
    ['repeated-code', [], ['code=abAd']],
    ['guessed-refresh-token', ['refresh_token=r1r'], ['refresh_token=rAr']],
    ['guessed-device-code', ['device_code=d1d'], ['device_code=dAd']],
    ['wrong-password', ['password=AAA'], ['password=ABA']],
    ['missing-password', ['password=AAA'], []],
    ['altered-client-assertion', ['client_assertion=a.b'], ['client_assertion=aAb']],
    ['unknown-grant-type', ['grant_type=authorization_code'], ['grant_type=oauth-lab-no-such-grant']],
    ['unknown-scope', ['scope=openid'], ['scope=openid oauth-lab:no-such-scope']],
    ['widened-scope', ['scope=openid'], ['scope=oauth-lab:no-such-scope']],
  ])('%s changes its part and no other', async (name, gone, come) => {
    const { pairs, ...rest } = await traded(name)
    const { pairs: before, ...honest } = message
    expect(difference(before, pairs)).toEqual({ gone, come })
    expect(rest).toEqual(honest)
  })

  it('repeated-code sends the wrong code behind the right one', async () => {
    const { pairs } = await traded('repeated-code')
    expect(pairs.slice(1, 3)).toEqual([
      ['code', 'abcd'],
      ['code', 'abAd'],
    ])
  })

  it('unknown-scope asks for that scope alone where the flow asks for none', async () => {
    const of = { ...message, pairs: [] }
    expect((await traded('unknown-scope', { of })).pairs).toEqual([['scope', 'oauth-lab:no-such-scope']])
  })

  it.each([
    'reuse-code',
    'expired-code',
    'reuse-refresh-token',
    'expired-refresh-token',
    'reuse-device-code',
    'expired-device-code',
    'expired-subject-token',
    'replayed-assertion',
    'replayed-client-assertion',
  ])('%s is right itself: its time or its repetition is wrong', async name => {
    expect(await traded(name)).toBe(message)
  })

  it.each<Change>([
    ['no-credentials', assertion, ['client_id=demo']],
    ['other-client-code', assertion, ['client_id=other', 'client_secret=o']],
    ['other-client-refresh-token', assertion, ['client_id=other', 'client_secret=o']],
    ['other-client-device-code', assertion, ['client_id=other', 'client_secret=o']],
    ['public-client', assertion, ['client_id=spa']],
  ])('%s authenticates in its own way, and in no other', async (name, gone, come) => {
    const { pairs, headers, ...rest } = await traded(name)
    expect(difference(message.pairs, pairs)).toEqual({ gone, come })
    expect(headers).toEqual(message.headers.filter(each => each !== basic))
    expect(rest).toEqual({ method: 'POST', url: message.url })
  })

  it('wrong-secret and both-credentials change what the client shows', async () => {
    const wrong = await traded('wrong-secret')
    expect(difference(message.headers, wrong.headers)).toEqual({
      gone: [basic.join('=')],
      come: [basicHeader('demo', 'demo-Aecret').join('=')],
    })
    expect(difference(message.pairs, wrong.pairs)).toEqual({ gone: assertion, come: [] })

    const both = await traded('both-credentials')
    expect(difference(message.headers, both.headers)).toEqual({ gone: [], come: [] })
    expect(difference(message.pairs, both.pairs)).toEqual({
      gone: assertion,
      come: ['client_id=demo', 'client_secret=demo-secret'],
    })
  })

  it('wrong-secret goes to the body where the client sends its secret there, and is made up without one', async () => {
    const client = { clientId: 'demo', auth: 'client_secret_post' } as const
    const { pairs, headers } = await traded('wrong-secret', { where: { ...situation, client } })
    expect(pairs.slice(-2)).toEqual([
      ['client_id', 'demo'],
      ['client_secret', 'secAet'],
    ])
    expect(headers).not.toContain(basic)
  })

  it.each(['https://lab.test/token', 'https://lab.test/token?x=1'])(
    'puts into the address %s what belongs into header or body',
    async url => {
      const mark = url.includes('?') ? '&' : '?'
      const of = { ...message, url }
      const secret = await traded('credentials-in-query', { of })
      expect(secret.url).toBe(`${url}${mark}client_id=demo&client_secret=demo-secret`)
      expect(difference(message.pairs, secret.pairs)).toEqual({ gone: assertion, come: [] })
      expect(difference(message.headers, secret.headers)).toEqual({ gone: [basic.join('=')], come: [] })

      const get = await traded('get-token-request', { of })
      expect(get).toMatchObject({
        method: 'GET',
        pairs: [],
        url: `${url}${mark}${encodeForm(message.pairs)}`,
      })
      expect(difference(message.headers, get.headers).gone).toEqual([
        'Content-Type=application/x-www-form-urlencoded',
      ])
    },
  )

  it.each(['other-client-code', 'other-client-refresh-token', 'other-client-device-code', 'public-client'])(
    '%s stays as it is where no such client is known',
    async name => expect(await traded(name, { where: alone })).toBe(message),
  )

  it('no-proof leaves the proof out, however its header is written', async () => {
    expect((await traded('no-proof')).headers).toEqual(message.headers.slice(0, 3))
    const lower = { ...message, headers: [['dpop', 'proof'] as const] }
    expect((await traded('no-proof', { of: lower })).headers).toEqual([])
  })

  it.each<[knownScopes: string[] | undefined, scope: string | undefined, asks: string]>([
    [undefined, undefined, 'oauth-lab:no-such-scope'],
    [undefined, 'openid', 'openid oauth-lab:no-such-scope'],
    [['openid', 'profile', 'email'], 'openid', 'openid profile'],
    [['openid', 'profile'], 'profile openid', 'profile openid oauth-lab:no-such-scope'],
    [['openid'], undefined, 'openid'],
    [['a'], '"', '" a'],
  ])('widened-scope, of %j with %j granted, asks for %j', async (knownScopes, scope, asks) => {
    const where = { ...situation, ...(knownScopes && { knownScopes }) }
    const seen = scope === undefined ? {} : { scope }
    const { pairs } = await traded('widened-scope', { where, seen })
    expect(pairs.find(([name]) => name === 'scope')).toEqual(['scope', asks])
    const wrong = move('widened-scope')
    expect(wrong.at === 'token_request' && wrong.forbids?.(where, seen)).toBe(asks.split(' ').at(-1))
  })

  it('unknown-scope must not get that scope', () => {
    const wrong = move('unknown-scope')
    expect(wrong.at === 'token_request' && wrong.forbids?.(situation, {})).toBe('oauth-lab:no-such-scope')
  })

  it.each(['altered-subject-token', 'unsigned-subject-token', 'foreign-subject-token'] as const)(
    '%s forges a JWT, and changes one character of an opaque token',
    async name => {
      const { pairs } = await traded(name)
      const forged = new Map(pairs).get('subject_token') ?? ''
      const { header, claims: said, parts } = decodeJwt(forged.endsWith('.') ? `${forged}x` : forged)
      expect(said.sub).toBe(name === 'altered-subject-token' ? 'oauth-lab-somebody-else' : 'alice')
      const algorithms = {
        'altered-subject-token': 'ES256',
        'unsigned-subject-token': 'none',
        'foreign-subject-token': 'RS256',
      }
      expect(header.alg).toBe(algorithms[name])
      expect(parts[2] === jwt.split('.')[2]).toBe(name === 'altered-subject-token')
      expect(header).not.toHaveProperty('jwk')

      const opaque = { ...message, pairs: [['subject_token', 'opaque'] as const] }
      expect((await traded(name, { of: opaque })).pairs).toEqual([['subject_token', 'opaAue']])
      expect((await traded(name, { of: { ...message, pairs: [] } })).pairs).toEqual([['subject_token', 'A']])
    },
  )
})

describe('a wrong assertion', () => {
  const words: AssertionWords = {
    issuer: 'https://idp.example',
    subject: 'alice',
    audience: 'https://lab.test',
    recipient: 'https://lab.test/token',
    id: 'a',
    issuedAt: 10_000_000,
    expiresAt: 10_300_000,
  }
  it.each<[name: string, change: Partial<AssertionWords>]>([
    ['expired-assertion', { issuedAt: 10_000_000 - 7_200_000, expiresAt: 10_000_000 - 3_600_000 }],
    [
      'other-audience-assertion',
      { audience: 'https://elsewhere.example/', recipient: 'https://elsewhere.example/token' },
    ],
    ['unknown-issuer-assertion', { issuer: 'https://attacker.example' }],
    ['other-client-assertion', { typ: 'oauth-id-jag+jwt', clientId: 'attacker.example' }],
    ['other-kind-assertion', { typ: 'secevent+jwt' }],
  ])('%s says something else in its own part', (name, change) => {
    const wrong = move(name)
    expect(wrong.at === 'assertion' && wrong.change(words)).toEqual({ ...words, ...change })
  })

  const sent = async (name: string, value: string) => {
    const { pairs } = await traded(name, { of: { ...message, pairs: [['assertion', value]] } })
    return new Map(pairs).get('assertion') ?? ''
  }
  const xml = (content: string) =>
    Buffer.from(`<saml:Assertion>${content}</saml:Assertion>`).toString('base64url')
  const subject = (name: string) =>
    `<saml:Subject><saml:NameID Format="x">${name}</saml:NameID></saml:Subject>`

  it('altered-assertion has another subject: JWT', async () => {
    const { claims: said, parts } = decodeJwt(await sent('altered-assertion', jwt))
    expect(said).toEqual({ ...claims, sub: 'oauth-lab-somebody-else' })
    expect(parts[2]).toBe(jwt.split('.')[2])
  })

  it('unsigned-assertion has no signature: JWT', async () => {
    const [head = '', body, signature] = (await sent('unsigned-assertion', jwt)).split('.')
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ alg: 'none' })
    expect([body, signature]).toEqual([jwt.split('.')[1], ''])
  })

  it.each([
    '<ds:Signature xmlns:ds="x"><ds:SignatureValue>1\n2</ds:SignatureValue></ds:Signature>',
    '<Signature>1</Signature>',
  ])('has another subject, or no signature: SAML with %j', async signature => {
    const assertionOf = (name: string) => xml(signature + subject(name))
    expect(await sent('altered-assertion', assertionOf('alice'))).toBe(assertionOf('alAce'))
    expect(await sent('unsigned-assertion', assertionOf('alice'))).toBe(xml(subject('alice')))
  })

  it('changes the name itself, where its element has no prefix and no attributes', async () => {
    const of = (name: string) => xml(`<NameID>${name}</NameID><x>alice</x>`)
    expect(await sent('altered-assertion', of('ümlaut'))).toBe(of('ümlAut'))
  })
})

describe('what a move needs', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = loadClientKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  const why = (name: string, more: Partial<Situation>, without: readonly (keyof Situation)[] = []) => {
    const kept = Object.entries({ ...situation, ...more }).filter(
      ([key]) => !without.some(each => each === key),
    )
    const here = Object.fromEntries(kept) as unknown as Situation
    const asked = move(name)
    return asked.notHere?.(here) ?? (asked.needs && missingFor(asked, here))
  }
  const spa = { client: { clientId: 'spa', auth: 'none' as const } }
  const signer = { client: { clientId: 'signer', auth: 'none' as const, proof: 'key' as const } }
  const shower = { client: { clientId: 'shower', auth: 'none' as const, proof: 'certificate' as const } }

  const leaving = { flow: shapeOf('logout'), logoutReturn: 'http://127.0.0.1/bye' }

  const needs: readonly [
    name: string,
    needed: Partial<Situation>,
    lacking: Partial<Situation>,
    without?: readonly (keyof Situation)[],
  ][] = [
    ['unregistered-response-type', { responseTypes: ['code'] }, { responseTypes: ['code', 'token'] }],
    ['unregistered-response-type', { responseTypes: [] }, {}, ['responseTypes']],
    ['unknown-resource', { knownResources: ['https://api.test'] }, {}],
    ['unauthorized-resource', { knownResources: ['https://api.test'] }, { knownResources: [] }],
    ['unknown-details-type', { detailTypes: ['a'] }, {}],
    ['unauthorized-details', { detailTypes: ['a'] }, { detailTypes: [] }],
    ['other-login-id-token', { secondUser: 'bob' }, {}, ['secondUser']],
    ['expired-response', { responseJwt: true, advance: () => {} }, { responseJwt: true }, ['advance']],
    [
      'altered-answer-token',
      { flow: shapeOf('implicit') },
      { flow: shapeOf('hybrid', { responseType: 'code token' }) },
    ],
    ['other-user-hint', { secondUser: 'bob' }, {}, ['secondUser']],
    ['refresh-with-other-key', { ...spa, bound: true }, { bound: true }],
    ['refresh-with-other-key', { ...spa, bound: true }, { ...spa, bound: false }],
    ['no-certificate', { certificate: 'authenticates' }, { certificate: 'shown' }],
    ['other-certificate', { certificate: 'authenticates' }, {}],
    ['bound-without-certificate', { certificate: 'shown' }, {}],
    ['bound-with-other-certificate', { certificate: 'authenticates' }, {}],
    ['no-challenge', spa, {}],
    ['no-challenge', spa, signer],
    ['no-challenge', spa, shower],
    ['no-challenge', spa, { ...spa, pkce: false }],
    ['plain-challenge', {}, { challengeMethods: ['S256', 'plain'] }],
    ['plain-challenge', {}, { pkce: false }],
    ['downgrade-pkce', {}, { pkce: false }],
    ['dropped-login-demand', { essentialAcr: true }, {}],
    ['dropped-login-demand', { essentialAcr: true }, { essentialAcr: true, pushed: true }],
    ['dropped-login-demand', { essentialAcr: true }, { essentialAcr: true, requestObject: 'signed' }],
    ['wrong-verifier', {}, { pkce: false }],
    ['missing-verifier', {}, { pkce: false }],
    ['drop-iss', {}, { issPromised: false }],
    ['no-csrf-value', {}, {}, ['credentials']],
    ['other-client-request-uri', {}, {}, ['other']],
    ['unpushed-request', { pushRequired: true }, {}],
    ['reused-request-uri', { secondUser: 'bob' }, {}, ['secondUser']],
    ['other-client-code', {}, {}, ['other']],
    ['other-client-refresh-token', {}, {}, ['other']],
    ['other-client-device-code', {}, {}, ['other']],
    ['other-client-auth-req-id', { flow: shapeOf('ciba') }, { flow: shapeOf('ciba') }, ['other']],
    ['unauthenticated-backchannel-request', { flow: shapeOf('ciba') }, { ...spa, flow: shapeOf('ciba') }],
    ['unauthenticated-backchannel-request', { flow: shapeOf('ciba') }, { ...shower, flow: shapeOf('ciba') }],
    ['public-client', {}, {}, ['publicClient']],
    ['both-credentials', {}, spa],
    ['both-credentials', {}, signer],
    ['wrong-secret', {}, spa],
    ['wrong-secret', {}, signer],
    ['wrong-secret', {}, shower],
    ['credentials-in-query', {}, spa],
    ['no-credentials', {}, spa],
    ['no-credentials', signer, spa],
    ['no-credentials', {}, shower],
    ['altered-client-assertion', signer, spa],
    ['replayed-client-assertion', signer, {}],
    ['other-issuer-client-assertion', { key }, {}],
    ['other-kind-client-assertion', { key }, {}],
    ['other-client-assertion', { saml: false }, { saml: true }],
    ['other-kind-assertion', {}, { saml: true }],
    ['endpoint-client-assertion', { key }, {}],
    ['listed-client-assertion', { key, issuer: 'https://lab.test' }, { key }],
    ['no-proof', { bound: true }, { bound: false }],
    ['misdirected-proof', { bound: true }, { bound: false }],
    ['no-proof-for-bound-client', { bound: true, boundClient: true }, { bound: true }],
    ['no-proof-for-bound-client', { bound: true, boundClient: true }, { boundClient: true }],
    ['other-method-proof', { bound: true }, {}],
    ['stale-proof', { bound: true }, {}],
    ['other-key-proof', { bound: true }, {}],
    ['no-nonce-proof', { bound: true }, {}],
    ['foreign-nonce-proof', { bound: true }, {}],
    ['replayed-token-proof', { bound: true }, { ...signer, bound: true }],
    ['other-audience', { resourceServer: true }, { resourceServer: false }],
    ['logout-without-client', leaving, { flow: leaving.flow }],
    ['altered-logout-state', leaving, { flow: leaving.flow }],
    ['logout-as-other-client', leaving, { flow: leaving.flow }],
    ['logout-as-other-client', leaving, leaving, ['other']],
    ['other-user-logout-hint', { ...leaving, secondUser: 'bob' }, leaving, ['secondUser']],
    ['metadata-without-pkce', { flow: { asks: 'code', grants: [], mcp: true } }, { flow: { grants: [] } }],
    ...documentMoves.map(({ name }): [string, Partial<Situation>, Partial<Situation>] => [
      name,
      { documents: true },
      {},
    ]),
  ]

  it.each(needs)('%s can be made with %j, and not with %j', (name, needed, lacking, without = []) => {
    expect(why(name, needed)).toBeUndefined()
    expect(why(name, lacking, without)).toMatch(/ /)
  })

  it('is asked of no other move', () => {
    const asking = moves.filter(each => each.notHere || each.needs).map(({ name }) => name)
    expect(new Set(needs.map(([name]) => name))).toEqual(new Set(asking))
  })
})
