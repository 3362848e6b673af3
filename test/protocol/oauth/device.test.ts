import { describe, expect, it } from 'vitest'
import { bytes } from '../../../src/protocol/http/message.js'
import { DEVICE_GRANT_TYPE, deviceAuthorizationResponse } from '../../../src/protocol/oauth/answers.js'
import { answered } from '../../flows/support/answered.js'

// RFC 8628 §3.2
const example = {
  device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://example.com/device',
  verification_uri_complete: 'https://example.com/device?user_code=WDJB-MJHT',
  expires_in: 1800,
  interval: 5,
}

const answer = (status: number, body: unknown) =>
  answered({ status, headers: [['content-type', 'application/json']], body: bytes(JSON.stringify(body)) })

describe('deviceAuthorizationResponse', () => {
  it('reads the example of RFC 8628 §3.2', () => {
    expect(deviceAuthorizationResponse(answer(200, example))).toEqual({
      deviceCode: example.device_code,
      userCode: 'WDJB-MJHT',
      verificationUri: 'https://example.com/device',
      verificationUriComplete: 'https://example.com/device?user_code=WDJB-MJHT',
      expiresIn: 1_800_000,
      interval: 5_000,
    })
  })

  it('waits five seconds between two requests when the server names no interval', () => {
    const { interval: _, verification_uri_complete: __, ...least } = example
    expect(deviceAuthorizationResponse(answer(200, least))).toEqual({
      deviceCode: example.device_code,
      userCode: 'WDJB-MJHT',
      verificationUri: 'https://example.com/device',
      expiresIn: 1_800_000,
      interval: 5_000,
    })
  })

  it.each([
    [{ expires_in: 0 }, { expiresIn: 0 }],
    [{ interval: 0 }, { interval: 0 }],
    [{ interval: 0.5 }, { interval: 500 }],
    [{ expires_in: 31_536_000 }, { expiresIn: 31_536_000_000 }],
    [{ verification_uri: 'HTTP://example.com' }, { verificationUri: 'HTTP://example.com' }],
  ])('accepts %j', (more, read) => {
    expect(deviceAuthorizationResponse(answer(200, { ...example, ...more }))).toMatchObject(read)
  })

  it.each([
    ['device_code', undefined],
    ['device_code', ''],
    ['device_code', 7],
    ['user_code', undefined],
    ['user_code', null],
    ['verification_uri', undefined],
    ['verification_uri', '/device'],
    ['verification_uri', 'https://'],
    ['verification_uri', 'javascript:alert("https://example.com")'],
    ['verification_uri_complete', 'device'],
    ['verification_uri_complete', null],
    ['expires_in', undefined],
    ['expires_in', -1],
    ['expires_in', '30 minutes'],
    ['expires_in', 31_536_001],
    ['interval', null],
    ['interval', -5],
  ])('refuses %s %j', (name, value) => {
    const read = () => deviceAuthorizationResponse(answer(200, { ...example, [name]: value }))
    expect(read).toThrow(expect.objectContaining({ code: 'invalid_response', rule: 'RFC 8628 §3.2' }))
    expect(read).toThrow(`${name} is`)
  })

  it.each([
    [400, { error: 'invalid_client' }, 'invalid_client'],
    [201, example, 'invalid_response'],
    [302, example, 'invalid_response'],
  ])('reports the refusal in an answer with status %i', (status, body, code) => {
    const read = () => deviceAuthorizationResponse(answer(status, body))
    expect(read).toThrow(expect.objectContaining({ code }))
  })

  it('reports that nothing was answered', () => {
    const { response: _, ...silent } = answer(200, example)
    expect(() => deviceAuthorizationResponse(silent)).toThrow(
      /the device authorization endpoint did not answer/,
    )
  })
})

it('the grant type of a device is that of RFC 8628 §3.4', () => {
  expect(DEVICE_GRANT_TYPE).toBe('urn:ietf:params:oauth:grant-type:device_code')
})
