import { describe, expect, it } from 'vitest'
import { baseUrl, server, tokenOf } from './support.js'

const post = async (details: unknown) => {
  const token = await tokenOf({ authorization_details: details })
  return server().send('/payments', { method: 'POST', headers: [['authorization', `Bearer ${token}`]] })
}

describe('a route that needs authorization details (RFC 9396 §9)', () => {
  it.each<[string, unknown]>([
    ['without locations', [{ type: 'account_information' }, { type: 'payment_initiation' }]],
    [
      'for this server',
      [{ type: 'payment_initiation', locations: ['https://other.example', `${baseUrl}/`] }],
    ],
    ['for this path', [{ type: 'payment_initiation', locations: [`${baseUrl}/payments`] }]],
  ])('accepts a token with those %s', async (_name, details) => {
    const answer = await post(details)
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({ authorization_details: details })
  })

  it.each<[string, unknown, string]>([
    ['no details', undefined, 'the token has none'],
    ['details of another type', [{ type: 'account_information' }], 'the token has none'],
    ['details that are no list', { type: 'payment_initiation' }, 'the token has none'],
    [
      'details for elsewhere',
      [{ type: 'payment_initiation', locations: ['https://other.example'] }],
      'other locations',
    ],
    ['locations that are no list', [{ type: 'payment_initiation', locations: baseUrl }], 'other locations'],
  ])('answers 403 to a token with %s', async (_name, details, problem) => {
    const answer = await post(details)
    expect(answer).toMatchObject({ status: 403, json: { error: 'insufficient_scope' } })
    expect(answer.json.error_description).toContain(problem)
  })
})
