import { describe, expect, it } from 'vitest'
import type { FlowOptions } from '../../src/flows/options.js'
import type { StepName } from '../../src/flows/step.js'
import { type HttpResponse, jsonResponse, textResponse } from '../../src/protocol/http/message.js'
import { expectRefused, stepOf, stepsOf } from './support/records.js'
import { formOf, issued, refreshing, refused, walk } from './support/scripted.js'

describe('a refresh token that is used a second time', () => {
  const rotated = issued({ refresh_token: 'r2' })
  const dead = refused('invalid_grant')

  it.each<[answers: HttpResponse[], auth: FlowOptions['auth'], last: StepName, failed: object]>([
    [
      [rotated, issued()],
      'none',
      'reuse_request',
      { rule: 'RFC 9700 §2.2.2', detail: 'the server took a refresh token that was used before' },
    ],
    [
      [rotated, issued()],
      'client_secret_post',
      'reuse_request',
      { advice: true, detail: expect.stringContaining('the client proves who it is') },
    ],
    [[rotated, dead, issued()], 'none', 'revoked_request', { rule: 'RFC 9700 §2.2.2' }],
    [[rotated, dead, issued()], 'client_secret_post', 'revoked_request', { advice: true }],
    [[rotated, refused('invalid_client', 401), dead], 'none', 'reuse_request', { advice: true }],
    [[rotated, dead, refused('server_error', 500)], 'none', 'revoked_request', { advice: true }],
    [[rotated, textResponse(500, ''), dead], 'none', 'reuse_request', { advice: true }],
    [[issued(), textResponse(500, '')], 'none', 'reuse_request', { name: 'rotation', advice: true }],
  ])('keeps the granted tokens, whatever a reuse is answered: %#', async (answers, auth, last, failed) => {
    const { records, outcome } = await refreshing(answers, { wanted: { auth } })
    expect(outcome).toMatchObject({ outcome: 'granted', tokens: { access_token: expect.any(String) } })
    const bad = stepsOf(records).flatMap(({ name, checks = [] }) =>
      checks.flatMap(each =>
        each.ok || (name !== 'reuse_request' && name !== 'revoked_request') ? [] : [[name, each]],
      ),
    )
    expect(bad).toEqual([[last, expect.objectContaining(failed)]])
    const finding = bad[0]?.[1]
    expect(finding).toMatchObject({ ok: false })
    expect(finding !== undefined && typeof finding === 'object' && 'advice' in finding).toBe(
      'advice' in failed,
    )
  })

  it('does not look for a revoked family where the second use was not noticed', async () => {
    const { records, sent } = await refreshing([rotated, issued()])
    expect(sent.filter(({ url }) => url.endsWith('/t'))).toHaveLength(3)
    expect(stepOf(records, 'revoked_request').note).toMatch(/^not sent/)
  })
})

describe('a resource server that refuses the refreshed token', () => {
  const gone = (error: string): HttpResponse => ({
    status: 401,
    headers: [['www-authenticate', `Bearer realm="x", error="${error}"`]],
    body: new Uint8Array(),
  })
  const wanted = { resource: 'https://as.test/r' }
  const [second, third] = [issued({ refresh_token: 'r2' }), issued({ refresh_token: 'r3' })]
  const script = (...answers: HttpResponse[]) => ({
    'POST /t': [issued({ refresh_token: 'r1', scope: 'a' }), second, third, refused('invalid_grant')],
    'GET /r': answers,
  })

  it('gets another token after one more refresh, with the newest refresh token', async () => {
    const answers = script(gone('invalid_token'), jsonResponse(200, {}))
    const { records, sent, outcome } = await walk('refresh', {
      wanted: { first: 'password', scope: 'a', ...wanted },
      script: answers,
    })
    expect(outcome).toMatchObject({ outcome: 'granted', tokens: { refresh_token: 'r3' } })
    const used = sent.filter(({ url }) => url.endsWith('/t')).map(each => formOf(each).refresh_token)
    expect(used).toEqual([undefined, 'r1', 'r2', 'r1', 'r3'])
    const [first, again] = stepsOf(records).filter(({ name }) => name === 'resource_request')
    expect([first?.repeats, first?.checks?.[0]?.ok, again?.repeats]).toEqual([true, false, undefined])
  })

  it.each([
    ['twice', 'invalid_token', 2],
    ['for another reason', 'insufficient_scope', 1],
  ])('ends the flow when it refuses %s', async (_name, error, times) => {
    const { sent, outcome } = await walk('refresh', {
      wanted: { first: 'password', scope: 'a', ...wanted },
      script: script(gone(error)),
    })
    expectRefused(outcome, error)
    expect(sent.filter(({ url }) => url.endsWith('/r'))).toHaveLength(times)
  })
})
