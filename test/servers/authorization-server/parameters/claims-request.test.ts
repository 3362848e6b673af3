import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OAuthError } from '../../../../src/protocol/oauth/oauth-error.js'
import {
  acceptsSubject,
  MAX_CLAIMS,
  MAX_CLAIMS_LENGTH,
  readClaimsRequest,
} from '../../../../src/servers/authorization-server/parameters/claims-request.js'
import { forAll } from '../../../support/for-all.js'

/** The example of OpenID Connect Core §5.5. */
const EXAMPLE = `{
   "userinfo":
    {
     "given_name": {"essential": true},
     "nickname": null,
     "email": {"essential": true},
     "email_verified": {"essential": true},
     "picture": null,
     "http://example.info/claims/groups": null
    },
   "id_token":
    {
     "auth_time": {"essential": true},
     "acr": {"values": ["urn:mace:incommon:iap:silver"] }
    }
  }`

function refusalOf(sent: string): unknown {
  try {
    return readClaimsRequest(sent)
  } catch (error) {
    return error
  }
}

const any = { essential: false, values: undefined }
const needed = { essential: true, values: undefined }

describe('the parameter claims', () => {
  it('is read as in the example of OpenID Connect Core §5.5', () => {
    const { userinfo, idToken } = readClaimsRequest(EXAMPLE)
    expect([...userinfo]).toEqual([
      ['given_name', needed],
      ['nickname', any],
      ['email', needed],
      ['email_verified', needed],
      ['picture', any],
      ['http://example.info/claims/groups', any],
    ])
    expect([...idToken]).toEqual([
      ['auth_time', needed],
      ['acr', { essential: false, values: ['urn:mace:incommon:iap:silver'] }],
    ])
  })

  it.each([
    [undefined, {}],
    ['{}', {}],
    ['{"userinfo":{}}', {}],
    ['{"other":7,"id_token":{"a":{"value":null,"unknown":[]}}}', { a: { essential: false, values: [null] } }],
    ['{"id_token":{"__proto__":null}}', { ['__proto__']: any }],
  ])('%s is accepted', (sent, idToken) => {
    expect([...readClaimsRequest(sent).idToken]).toEqual(Object.entries(idToken))
  })

  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, null]))
  it('may name as many claims as the limit', () => {
    expect(readClaimsRequest(JSON.stringify({ userinfo: many(MAX_CLAIMS) })).userinfo.size).toBe(MAX_CLAIMS)
  })

  it('may be as long as its limit, and so may a name', () => {
    expect(readClaimsRequest('{}'.padEnd(MAX_CLAIMS_LENGTH)).userinfo.size).toBe(0)
    const name = 'x'.repeat(256)
    expect([...readClaimsRequest(JSON.stringify({ id_token: { [name]: null } })).idToken.keys()]).toEqual([
      name,
    ])
  })

  it.each([
    ['not JSON', '{"userinfo":'],
    ['a JSON object', '[]'],
    ['a JSON object', 'null'],
    ['userinfo is not a JSON object', '{"userinfo":[]}'],
    ['id_token is not a JSON object', '{"id_token":null}'],
    ['a claim of id_token is not a JSON object', '{"id_token":{"email":true}}'],
    ['essential of a claim of id_token', '{"id_token":{"email":{"essential":"true"}}}'],
    ['is not a list', '{"id_token":{"email":{"values":"x"}}}'],
    ['both value and values', '{"id_token":{"email":{"value":"x","values":["x"]}}}'],
    ['more than 50', JSON.stringify({ userinfo: many(MAX_CLAIMS + 1) })],
    ['longer than 256', JSON.stringify({ userinfo: { ['x'.repeat(257)]: null } })],
    ['longer than 4096', `${' '.repeat(MAX_CLAIMS_LENGTH - 1)}{}`],
  ])('is refused: %s', (problem, sent) => {
    expect(refusalOf(sent)).toMatchObject({
      code: 'invalid_request',
      description: expect.stringContaining(problem),
      rule: 'OpenID Connect Core §5.5',
    })
  })

  it('is read or refused, whatever it is', async () => {
    const members = fc.dictionary(fc.constantFrom('userinfo', 'id_token'), fc.jsonValue())
    const sent = fc.oneof(
      fc.string(),
      fc.json(),
      members.map(each => JSON.stringify(each)),
    )
    await forAll(sent, text => {
      try {
        expect(readClaimsRequest(text)).toHaveProperty('userinfo')
      } catch (error) {
        expect(error).toBeInstanceOf(OAuthError)
      }
    })
  })
})

it.each([
  [true, {}],
  [true, { id_token: { sub: null } }],
  [true, { id_token: { sub: { value: 'alice' } } }],
  [true, { userinfo: { sub: { values: ['bob', 'alice'] } } }],
  [false, { userinfo: { sub: { value: 'bob' } } }],
  [false, { userinfo: { sub: { value: 'alice' } }, id_token: { sub: { value: 'bob' } } }],
  [false, { id_token: { sub: { values: [] } } }],
  [true, { id_token: { name: { value: 'bob' } } }],
])('the claim sub accepts alice: %s for %j', (accepted, request) => {
  expect(acceptsSubject('alice', readClaimsRequest(JSON.stringify(request)))).toBe(accepted)
})
