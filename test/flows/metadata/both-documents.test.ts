import { describe, expect, it } from 'vitest'
import { bothDocuments, differencesOf } from '../../../src/flows/metadata/both-documents.js'
import type { Exchange, Send } from '../../../src/protocol/http/exchange.js'

const issuer = 'https://as.test/tenant'
const openid = 'https://as.test/tenant/.well-known/openid-configuration'
const oauth = 'https://as.test/.well-known/oauth-authorization-server/tenant'
const good = { issuer, token_endpoint: 'https://as.test/token', response_types_supported: ['code'] }

/** Answers each address with a document, and 404 for all others. */
const publishing =
  (documents: Readonly<Record<string, unknown>>): Send =>
  async request =>
    ({
      request,
      response: {
        status: request.url in documents ? 200 : 404,
        headers: [['content-type', 'application/json']],
        body: JSON.stringify(documents[request.url] ?? {}),
      },
    }) as unknown as Exchange

const read = (documents: Readonly<Record<string, unknown>>) =>
  bothDocuments(issuer, publishing(documents), new AbortController().signal)

describe('bothDocuments', () => {
  it('asks at the address of each specification', async () => {
    const found = await read({ [openid]: good, [oauth]: good })
    expect(found.map(({ kind, url, problem }) => ({ kind, url, problem }))).toEqual([
      { kind: 'openid', url: openid, problem: undefined },
      { kind: 'oauth', url: oauth, problem: undefined },
    ])
    expect(found[0]?.checks).toContainEqual(expect.objectContaining({ name: 'issuer', ok: true }))
  })

  it.each<[string, unknown, string]>([
    ['of another issuer', { ...good, issuer: `${issuer}/` }, 'they differ by the slash'],
    ['with an endpoint in the clear', { ...good, token_endpoint: 'http://as.test/token' }, 'not https'],
    ['that is a list', [], 'no JSON object'],
  ])('judges a document %s, and still reads the other one', async (_, document, problem) => {
    const [first, second] = await read({ [openid]: document, [oauth]: good })
    expect(first?.problem).toContain(problem)
    expect(first?.checks.every(({ ok }) => !ok)).toBe(true)
    expect(second?.problem).toBeUndefined()
  })

  it('says of a missing document that it is missing, and checks nothing', async () => {
    const [first, second] = await read({ [oauth]: good })
    expect(first).toEqual({
      kind: 'openid',
      url: openid,
      status: 404,
      checks: [],
      problem: `${openid} answered 404`,
    })
    expect(second?.problem).toBeUndefined()
  })
})

it.each([
  [{ a: ['x', 'y'] }, { a: ['y', 'x'] }, []],
  [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }, []],
  [{ a: 1 }, { a: 1, b: 2 }, [{ name: 'b', oauth: 2 }]],
  [{ a: ['x'] }, { a: ['x', 'y'] }, [{ name: 'a', openid: ['x'], oauth: ['x', 'y'] }]],
  [{ a: [1, 2] }, { a: [2, 1] }, [{ name: 'a', openid: [1, 2], oauth: [2, 1] }]],
  [{ __proto__: null, a: true }, {}, [{ name: 'a', openid: true }]],
])('differencesOf of %j and %j are %j', (first, second, found) => {
  expect(
    differencesOf(first as object as Record<string, unknown>, second as Record<string, unknown>),
  ).toEqual(found)
})
