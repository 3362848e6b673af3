import { describe, expect, it } from 'vitest'
import { EVENTS } from '../../../../src/judge/explain/lab-events/event-meanings.js'
import { findingOf } from '../../../../src/judge/explain/lab-events/findings.js'
import { EVENTS as CATALOGUE } from '../../../../src/protocol/event-catalogue.js'

/** Events that say nothing about an exchange of OAuth or OpenID Connect. */
const OTHER = new Set([
  'request.answered',
  'handshake.failed',
  'loop.blocked',
  'fault.injected',
  'request_object.fetched',
  'client_document.fetched',
  'client_keys.fetched',
  'sector_document.fetched',
  'resource_metadata.fetched',
  'keys.fetched',
  'key.made',
  'key.rotated',
  'consent.applied',
  'ciba.expired',
  'ciba_ping.sent',
  'ciba_ping.accepted',
  'ciba_ping.failed',
  'logout_token.sent',
  'logout_token.accepted',
  'logout.framed',
  'attack.ended',
  'doctor.ended',
])

const isOther = (type: string): boolean =>
  OTHER.has(type) || /^(cluster|dns|chat)\./.test(type) || /^demo_client\.(?!logged_in|login_)/.test(type)

describe('the meanings of events', () => {
  it('know every event of a lab', () => {
    const unknown = Object.keys(CATALOGUE).filter(type => !isOther(type) && !Object.hasOwn(EVENTS, type))
    expect(unknown).toEqual(['demo_client.login_started'])
    expect(Object.keys(EVENTS).filter(type => !Object.hasOwn(CATALOGUE, type))).toEqual([])
  })

  it('make a finding of every refusal', () => {
    const refusals = Object.keys(EVENTS).filter(type => /\.(refused|failed|reused|replayed)$/.test(type))
    const silent = refusals.filter(
      type => findingOf({ type, rule: 'RFC 6749 §5.2', description: 'no' }) === undefined,
    )
    // The token endpoint refuses the request too, with its rule.
    expect(silent).toEqual(['password.refused'])
  })

  it.each([
    ['authorization_pending', undefined],
    ['slow_down', 'weakness polls-too-fast'],
    ['access_denied', 'fault request-refused'],
  ])('of a poll: %s', (error, expected) => {
    const found = findingOf({ type: 'token.refused', error, description: 'x', rule: 'RFC 8628 §3.5' })
    expect(found && `${found.severity} ${found.name}`).toBe(expected)
  })

  it('say what happened, why, what the server saw, and the next move', () => {
    const refused = {
      type: 'token.refused',
      error: 'invalid_client',
      description: 'the secret is wrong',
      rule: 'RFC 6749 §3.2.1',
      evidence: 'web',
    }
    expect(findingOf(refused)).toEqual({
      name: 'request-refused',
      severity: 'fault',
      rule: 'RFC 6749 §3.2.1',
      text: 'the token request was refused: invalid_client, “the secret is wrong” (web)',
      next: 'check the client_id, its secret or key, and the way in which it authenticates',
    })
    expect(findingOf({ type: 'user_code.refused', reason: 'unknown', rule: 'RFC 8628 §5.1' })?.text).toBe(
      'the user code was refused: “the reason is unknown”',
    )
    const command = 'oauth-lab serve --redirect-uri https://a.example/cb'
    expect(findingOf({ type: 'authorization.refused', channel: 'page', to_register: command })).toMatchObject(
      {
        name: 'request-shown-error',
        rule: 'no rule named',
        next: `register the address at this lab:  ${command}`,
      },
    )
  })
})
