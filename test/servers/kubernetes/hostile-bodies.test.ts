import { describe, expect, it } from 'vitest'
import { LIMITED, REVIEW_PATH, statusOf, testCluster } from './support.js'

const SELF_REVIEW = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
const YAML = [['content-type', 'application/yaml']] as const

describe('a body in YAML', () => {
  const post = (body: string) =>
    testCluster().ask('POST', SELF_REVIEW, { body, bearer: LIMITED, headers: YAML })

  it('is read', async () => {
    expect((await post('kind: SelfSubjectReview\napiVersion: authentication.k8s.io/v1\n')).status).toBe(201)
  })

  it('has a smaller limit than one in JSON', async () => {
    expect(statusOf(await post(`# ${'x'.repeat(256 * 1024)}`))).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: limit is 262144',
    })
  })

  it.each([
    [
      'distinct keys',
      Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join('\n'),
      'more than 40000 keys',
    ],
    ['anchors', Array.from({ length: 5000 }, () => '- &a x').join('\n'), 'more than 1000 anchors'],
  ])('of many %s is refused at once, for a user without rights', async (_, body, message) => {
    const before = process.cpuUsage()
    const answer = await post(body)
    const { user, system } = process.cpuUsage(before)
    expect(statusOf(answer)).toMatchObject({ code: 400, message: expect.stringContaining(message) })
    expect((user + system) / 1000).toBeLessThan(3000)
  })
})

it.each([
  [{ containers: [null] }, 'spec.containers[0].name: Required value'],
  [{ containers: [{ name: 'c', image: 'i', ports: [null] }], initContainers: [null] }, undefined],
])('a null in a list is an empty object, as Go reads it: %j', async (spec, message) => {
  const body = { metadata: { name: 'p' }, spec: { serviceAccountName: 'demo', ...spec } }
  const answer = await testCluster().ask('POST', '/api/v1/namespaces/default/pods', { body })
  expect(answer.status).toBe(message === undefined ? 201 : 422)
  if (message !== undefined) expect(statusOf(answer).message).toContain(message)
})

describe('warnings about a body', () => {
  const review = (fields: object) =>
    testCluster().ask('POST', REVIEW_PATH, { body: { spec: { token: 'x' }, ...fields } })

  it('name fields beyond Latin-1 in UTF-8', async () => {
    const answer = await review({ ключ: 1, é: 2 })
    expect(answer.status).toBe(201)
    const shown = answer.response.headers.filter(([name]) => name === 'warning').map(([, value]) => value)
    expect(shown.map(each => Buffer.from(each, 'latin1').toString('utf8'))).toEqual([
      '299 - "unknown field \\"ключ\\""',
      '299 - "unknown field \\"é\\""',
    ])
  })

  it('are bounded, as those of the real server', async () => {
    const fields = Object.fromEntries(Array.from({ length: 90 }, (_, i) => [`${i}${'x'.repeat(1000)}`, 1]))
    const answer = await review(fields)
    const shown = answer.response.headers.filter(([name]) => name === 'warning').map(([, value]) => value)
    expect(shown).toHaveLength(16)
    expect(shown.every(each => each.length < 300)).toBe(true)
  })
})
