import { describe, expect, it } from 'vitest'
import { TransportError } from '../../../../src/protocol/errors.js'
import {
  ClusterRefusal,
  httpRequest,
  parseBinding,
  readAnswer,
  warningsOf,
} from '../../../../src/servers/kubernetes/client/requests.js'
import { access, answered, request } from './support.js'

const read =
  (...given: Parameters<typeof answered>) =>
  () =>
    readAnswer(answered(...given), request, access)

const reviewed = (members: string) => `{"kind":"TokenReview","status":{${members}}}`

function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  return undefined
}

it.each([
  ['HTML', 200, '<!doctype html><p>Log in', [], /with HTML \(HTTP 200\)/],
  ['truncated JSON', 201, '{"kind":"TokenRev', [], /ends too early/],
  ['nothing', 200, '', [], /with nothing/],
  ['another kind', 201, '{"kind":"Pod"}', [], /with Pod instead of TokenReview/],
  ['no kind', 201, '{"a":1}', [], /with no kind instead of TokenReview/],
  ['a list', 200, '[1]', [], /JSON that is no object/],
  ['a redirect', 302, '', [['location', 'https://login.example/']], /redirects POST .* to https:\/\/login/],
  ['an error without Status', 502, '{"message":"bad gateway"}', [], /HTTP 502 and no Kubernetes Status/],
  ['a Status of other types', 403, '{"kind":"Status","message":{}}', [], /no Kubernetes Status/],
  [
    'a member of another type',
    201,
    reviewed('"authenticated":"yes"'),
    [],
    /status\.authenticated is no boolean/,
  ],
  [
    'a list of other types',
    201,
    reviewed('"user":{"groups":["a",null]}'),
    [],
    /user\.groups\[1\] is no text/,
  ],
  ['a map of other types', 201, reviewed('"user":{"extra":{"a":5}}'), [], /user\.extra\.a is no list/],
] as const)(
  'an answer that no API server gives: %s is one clear line and exit code 3',
  (_, status, body, headers, message) => {
    const error = thrown(read(status, body, headers))
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ kind: 'transport', message: expect.stringMatching(message) })
    expect((error as Error).message).not.toContain('\n')
  },
)

it('null counts as absent', () => {
  const review = { kind: 'TokenReview', status: { user: { groups: null, uid: null }, error: null } }
  expect(readAnswer(answered(201, JSON.stringify(review)), request, access).object).toEqual(review)
})

describe('a refusal', () => {
  const status = (code: number, reason: string, message: string) =>
    read(code, JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code }))

  it('has the message of the server and exit code 1, and names the credentials that failed', () => {
    const error = thrown(status(401, 'Unauthorized', 'Unauthorized'))
    expect(error).toBeInstanceOf(ClusterRefusal)
    expect(error).toMatchObject({
      kind: 'refused',
      message: 'the cluster refused: Unauthorized (Unauthorized, HTTP 401)',
      hints: [expect.stringContaining('your own credentials'), expect.anything()],
    })
  })

  it.each([
    [{}, ['Its audience is vault; ', '  oauth-lab k8s token demo -n lab --audience vault --audience https']],
    [{ aud: ['a b'] }, ['Its audience is a b; ']],
    [{ aud: ['https://i'] }, ['Take a token apart:']],
    [{ exp: 1_700_000_000 }, ['It expired at 2023-11-14T22:13:20.000Z:']],
    [{ exp: 1e300 }, ['Its audience is vault; ', '  oauth-lab']],
    [{ sub: 'alice' }, ['Take a token apart:']],
  ])('reports the reason in the own token %j', (change, hints) => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = { sub: 'system:serviceaccount:lab:demo', iss: 'https://i', aud: ['vault'], ...change }
    const bearer = `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`
    const own = { ...access, credential: { kind: 'bearer', token: bearer, from: 'mine' } } as const
    const body = JSON.stringify({ kind: 'Status', apiVersion: 'v1', message: 'Unauthorized', code: 401 })
    const error = thrown(() => readAnswer(answered(401, body), request, own))
    expect((error as ClusterRefusal).hints.slice(1)).toEqual(hints.map(each => expect.stringContaining(each)))
  })

  it('names the missing binding for keys that only accounts may read', () => {
    const message = 'forbidden: User "system:anonymous" cannot get path "/openid/v1/jwks"'
    expect(thrown(status(403, 'Forbidden', message))).toMatchObject({
      hints: [expect.anything(), expect.stringContaining('system:service-account-issuer-discovery')],
    })
  })
})

it('Warning headers are read without code and agent', () => {
  const headers = [
    ['Warning', '299 - "requested expiration of 3600000 seconds shortened to 172800 seconds"'],
    ['warning', '299 - "unknown field \\"spec.foo\\""'],
    ['warning', 'garbage'],
  ] as const
  expect(warningsOf({ headers })).toEqual([
    'requested expiration of 3600000 seconds shortened to 172800 seconds',
    'unknown field "spec.foo"',
  ])
})

describe('requests', () => {
  it('carry the bearer over https and never over http', () => {
    const names = (server: string) =>
      httpRequest({ ...access, server }, request).headers.map(([name]) => name)
    expect(names('https://cluster.example')).toContain('authorization')
    expect(names('http://cluster.example')).not.toContain('authorization')
  })

  it.each([
    ['pod/web-0', { kind: 'Pod', apiVersion: 'v1', name: 'web-0' }],
    ['Secrets/demo-key', { kind: 'Secret', apiVersion: 'v1', name: 'demo-key' }],
    ['node/node-1/abc-1', { kind: 'Node', apiVersion: 'v1', name: 'node-1', uid: 'abc-1' }],
    ['deployment/x', undefined],
    ['pod/', undefined],
    ['pod/UPPER', undefined],
    ['web-0', undefined],
    ['constructor/x', undefined],
  ])('bind to %s', (text, wanted) => expect(parseBinding(text)).toEqual(wanted))
})
