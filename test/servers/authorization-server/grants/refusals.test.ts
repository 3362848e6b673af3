import { describe, expect, it } from 'vitest'
import { cut } from '../../../../src/protocol/events.js'
import { unverifiedClaims } from '../../../../src/servers/authorization-server/grants/assertions.js'
import { part } from '../../../protocol/tokens/jwt-maker.js'
import {
  basic,
  CALLBACK,
  CHALLENGE,
  expectError,
  json,
  lab,
  type Parameters,
  SECRET,
  settings,
  VERIFIER,
} from '../support.js'

const OTHER = basic('other', 'other-secret')
const DEMO = basic('demo', SECRET)

/** A lab whose users can be removed. */
function world() {
  const users = [...settings.users]
  const made = lab({ users })
  return { ...made, removeUsers: () => users.splice(0) }
}
type World = ReturnType<typeof world>

/** A change that makes a code or token worthless, by the name of its refusal. */
type Row = readonly [
  name: string,
  rule: string,
  spoil: (on: World, value: string) => unknown,
  auth: typeof DEMO,
]

describe('the event of a refused code', () => {
  const redeem = ({ redeem }: World, code: string, auth = DEMO) => redeem(code, {}, [auth])

  it.each<Row>([
    ['issued to another client', 'RFC 6749 §4.1.3', () => {}, OTHER],
    ['expired', 'RFC 6749 §4.1.3', ({ clock }) => (clock.now += settings.lifetimes.code), DEMO],
    ['of a user who was removed', 'RFC 6749 §4.1.3', ({ removeUsers }) => removeUsers(), DEMO],
    ['redeemed before', 'RFC 6749 §4.1.2', (on, code) => redeem(on, code), DEMO],
  ])('names the rule and the beginning of the code: %s', async (_name, rule, spoil, auth) => {
    const on = world()
    const code = await on.newCode()
    await spoil(on, code)
    expectError(await redeem(on, code, auth), 400, 'invalid_grant')
    const evidence = `code ${cut(code)}`
    expect(on.events.at(-1)).toMatchObject({ type: 'token.refused', error: 'invalid_grant', rule, evidence })
  })

  it('names a code that is unknown', async () => {
    const on = world()
    expectError(await redeem(on, 'a-code-that-is-unknown'), 400, 'invalid_grant')
    expect(on.events.at(-1)).toMatchObject({ rule: 'RFC 6749 §4.1.3', evidence: 'code a-co…own' })
  })

  const challenged = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }
  it.each<[name: string, asked: Parameters, sent: Parameters, rule: string]>([
    ['no redirect_uri', {}, { redirect_uri: undefined }, 'RFC 6749 §4.1.3'],
    ['another redirect_uri', {}, { redirect_uri: `${CALLBACK}/` }, 'RFC 6749 §4.1.3'],
    ['the same with a port', {}, { redirect_uri: 'http://127.0.0.1:80/callback' }, 'RFC 6749 §4.1.3'],
    ['a verifier without a challenge', {}, { code_verifier: VERIFIER }, 'RFC 9700 §2.1.1'],
    ['no verifier', challenged, {}, 'RFC 7636 §4.6'],
    ['the challenge as verifier', challenged, { code_verifier: CHALLENGE }, 'RFC 7636 §4.6'],
    ['a short verifier', challenged, { code_verifier: 'x' }, 'RFC 7636 §4.1'],
    ['another verifier', challenged, { code_verifier: `${VERIFIER}x` }, 'RFC 7636 §4.6'],
  ])('names the rule, and the code stays valid: %s', async (_name, asked, sent, rule) => {
    const on = world()
    const code = await on.newCode(asked)
    expectError(await on.redeem(code, sent), 400, 'invalid_grant')
    expect(on.events.at(-1)).toMatchObject({ type: 'token.refused', rule })
    const verifier = asked === challenged ? { code_verifier: VERIFIER } : {}
    expect((await on.redeem(code, verifier)).status).toBe(200)
  })
})

const refresh = ({ token }: World, value: string, auth = DEMO) =>
  token({ grant_type: 'refresh_token', refresh_token: value }, [auth])

it.each<Row>([
  ['issued to another client', 'RFC 6749 §6', () => {}, OTHER],
  ['expired', 'RFC 6749 §6', ({ clock }) => (clock.now += settings.lifetimes.refreshToken), DEMO],
  ['of a user who was removed', 'RFC 6749 §6', ({ removeUsers }) => removeUsers(), DEMO],
  ['revoked', 'RFC 6749 §6', ({ post }, value) => post('/revocation', { token: value }, [DEMO]), DEMO],
  ['used before', 'RFC 9700 §4.14.2', (on, value) => refresh(on, value), DEMO],
])(
  'the event of a refused refresh token names the rule and the beginning of the token: %s',
  async (_name, rule, spoil, auth) => {
    const on = world()
    const value = String(json(await on.redeem(await on.newCode())).refresh_token)
    await spoil(on, value)
    expectError(await refresh(on, value, auth), 400, 'invalid_grant')
    const evidence = `refresh token ${cut(value)}`
    const refused = on.events.findLast(event => event.type === 'token.refused')
    expect(refused).toMatchObject({ error: 'invalid_grant', rule, evidence })
  },
)

describe('the claims of an assertion that is not verified yet', () => {
  it.each<[object, object]>([
    [
      { iss: 'i', scope: 'a b', sub: 's' },
      { iss: 'i', scope: 'a b' },
    ],
    [{ iss: 'i' }, { iss: 'i' }],
    [{ scope: '' }, { scope: '' }],
    [{ iss: 7, scope: ['a'] }, {}],
  ])('of %j are %j', (claims, read) => {
    expect(unverifiedClaims(`${part({ alg: 'none' })}.${part(claims)}.`)).toStrictEqual(read)
  })

  it('are none where the text is no JWT, or too long', () => {
    for (const text of [undefined, '', 'x', 'a.b.c', 'a.b.c.d.e']) expect(unverifiedClaims(text)).toEqual({})
    const start = ['', ' ', '  ']
      .map(pad => `${part(`{"alg":"RS256"}${pad}`)}.${part('{"iss":"i"}')}.`)
      .find(each => (64 * 1024 - each.length) % 4 > 1)
    const longest = String(start).padEnd(64 * 1024, 'A')
    expect(unverifiedClaims(longest)).toEqual({ iss: 'i' })
    expect(unverifiedClaims(`${longest}A`)).toEqual({})
  })
})
