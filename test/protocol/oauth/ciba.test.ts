import { describe, expect, it } from 'vitest'
import { bytes } from '../../../src/protocol/http/message.js'
import { backchannelAcknowledgement } from '../../../src/protocol/oauth/answers.js'
import { answered } from '../../flows/support/answered.js'

// CIBA Core §7.3
const example = { auth_req_id: '1c266114-a1be-4252-8ad1-04986c5b9ac1', expires_in: 120, interval: 2 }

const answer = (status: number, body: unknown, type = 'application/json') =>
  answered({ status, headers: [['content-type', type]], body: bytes(JSON.stringify(body)) })

describe('backchannelAcknowledgement', () => {
  it('reads the example of CIBA Core §7.3', () => {
    expect(backchannelAcknowledgement(answer(200, example))).toEqual({
      authReqId: '1c266114-a1be-4252-8ad1-04986c5b9ac1',
      expiresIn: 120_000,
      interval: 2_000,
    })
  })

  it('waits five seconds between two polls when the server names no interval', () => {
    const { interval: _, ...least } = example
    expect(backchannelAcknowledgement(answer(200, least)).interval).toBe(5_000)
  })

  it.each([
    ['auth_req_id', undefined, 'auth_req_id is missing'],
    ['auth_req_id', '', 'auth_req_id is missing'],
    ['auth_req_id', 7, 'auth_req_id is missing'],
    ['expires_in', undefined, 'expires_in is missing'],
    ['expires_in', 0, 'expires_in is not positive'],
    ['expires_in', -1, 'expires_in is not a number of seconds'],
    ['expires_in', 'soon', 'expires_in is not a number of seconds'],
    ['expires_in', 1e12, 'expires_in is not a number of seconds'],
    ['interval', -5, 'interval is not a number of seconds'],
    ['interval', null, 'interval is not a number of seconds'],
  ])('refuses %s: %j', (name, value, description) => {
    const read = () => backchannelAcknowledgement(answer(200, { ...example, [name]: value }))
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_response', description }))
    expect(read).toThrow(expect.objectContaining({ rule: 'OpenID Connect CIBA Core §7.3' }))
  })

  it.each([
    [400, { error: 'unknown_user_id' }, 'unknown_user_id', 'OpenID Connect CIBA Core §13'],
    [401, { error: 'invalid_client' }, 'invalid_client', 'OpenID Connect CIBA Core §13'],
    [201, example, 'invalid_response', 'OpenID Connect CIBA Core §13'],
    [200, { error: 'invalid_request' }, 'invalid_request', 'RFC 6749 §5.2'],
    [200, [], 'invalid_response', 'OpenID Connect CIBA Core §7.3'],
  ])('reads the refusal of a %i %j', (status, body, code, rule) => {
    expect(() => backchannelAcknowledgement(answer(status, body))).toThrow(
      expect.objectContaining({ code, rule }),
    )
  })

  it('refuses what is no JSON', () => {
    expect(() => backchannelAcknowledgement(answer(200, example, 'text/html'))).toThrow(
      expect.objectContaining({ code: 'invalid_response' }),
    )
  })
})
