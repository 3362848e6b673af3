import { describe, expect, it } from 'vitest'
import { cibaChecks } from '../../../src/judge/doctor/endpoints/ciba-checks.js'
import type { Requester } from '../../../src/judge/doctor/requester.js'
import type { FormPairs } from '../../../src/protocol/http/form.js'
import { type HttpResponse, jsonResponse } from '../../../src/protocol/http/message.js'
import { recorded } from '../../flows/support/network.js'
import { refused } from '../../flows/support/scripted.js'

const GRANT = 'urn:openid:params:grant-type:ciba'
const URL_OF = { b: 'https://as.test/b', t: 'https://as.test/t' }
const client = { clientId: 'demo', clientSecret: 's', auth: 'client_secret_basic' } as const
const acknowledged = jsonResponse(200, { auth_req_id: 'x'.repeat(43), expires_in: 120 })

type Answer = (pairs: Readonly<Record<string, string>>, as: 'client' | 'other' | 'nobody') => HttpResponse

/** A server that keeps every rule. */
const strict: Answer = (pairs, as) => {
  if (as === 'nobody') return refused('invalid_client', 401)
  if ('grant_type' in pairs) return refused(as === 'other' ? 'invalid_grant' : 'authorization_pending')
  const hints = ['login_hint', 'login_hint_token'].filter(name => name in pairs)
  if (hints.length !== 1) return refused('invalid_request')
  return pairs.scope?.includes('openid') ? acknowledged : refused('invalid_scope')
}

/** A requester at a server with these answers, and the number of requests that reach the person. */
function requester(answer: Answer = strict, more: { metadata?: object; server?: object } = {}) {
  const asked: FormPairs[] = []
  const send = (url: string, pairs: FormPairs, as: Parameters<Answer>[1]) => {
    const response = answer(Object.fromEntries(pairs), as)
    if (url === URL_OF.b && response.status === 200) asked.push(pairs)
    return recorded({ method: 'POST', url, headers: [], body: new Uint8Array() }, response)
  }
  const made = {
    metadata: {
      backchannel_authentication_endpoint: URL_OF.b,
      token_endpoint: URL_OF.t,
      grant_types_supported: [GRANT],
      backchannel_token_delivery_modes_supported: ['poll'],
      ...more.metadata,
    },
    server: { client, other: client, credentials: { username: 'alice', password: 'x' }, ...more.server },
    post: async (url: string, pairs: FormPairs, other?: unknown) =>
      send(url, pairs, other ? 'other' : 'client'),
    pretend: async (_disguise: unknown, url: string, pairs: FormPairs) => send(url, pairs, 'nobody'),
  } as unknown as Requester
  return { made, asked }
}

async function results(made: Requester): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const each of cibaChecks) found[each.name] = (await each.check(made, URL_OF.b)).result
  return found
}

describe('the checks of backchannel authentication', () => {
  it('pass at a strict server, and ask the person once', async () => {
    const { made, asked } = requester()
    expect(new Set(Object.values(await results(made)))).toEqual(new Set(['pass']))
    expect(asked).toHaveLength(1)
  })

  it.each<[string, Answer, object?]>([
    ['ciba-announced', strict, { grant_types_supported: [] }],
    ['ciba-announced', strict, { backchannel_token_delivery_modes_supported: ['pigeon'] }],
    [
      'ciba-waits',
      (pairs, as) =>
        'grant_type' in pairs && as === 'client'
          ? jsonResponse(200, { access_token: 'a' })
          : strict(pairs, as),
    ],
    [
      'ciba-other-client',
      (pairs, as) =>
        'grant_type' in pairs && as === 'other'
          ? jsonResponse(200, { access_token: 'a' })
          : strict(pairs, as),
    ],
    [
      'ciba-no-hint',
      (pairs, as) => ('login_hint' in pairs || 'grant_type' in pairs ? strict(pairs, as) : acknowledged),
    ],
    ['ciba-two-hints', (pairs, as) => ('login_hint_token' in pairs ? acknowledged : strict(pairs, as))],
    ['ciba-no-openid', (pairs, as) => (pairs.scope === 'profile' ? acknowledged : strict(pairs, as))],
    ['ciba-no-credentials', (pairs, as) => (as === 'nobody' ? acknowledged : strict(pairs, as))],
  ])('finds the one fault of a server that is weak in %s', async (name, answer, metadata = {}) => {
    const found = await results(requester(answer, { metadata }).made)
    expect(Object.keys(found).filter(each => found[each] === 'fault')).toEqual([name])
  })

  it('do not apply to a client that may not use it, and are not tried where no person is known', async () => {
    const denied = await results(requester(() => refused('unauthorized_client')).made)
    expect(Object.values(denied).filter(each => each === 'not_applicable')).toHaveLength(6)
    const { made, asked } = requester(strict, { server: { credentials: undefined } })
    expect(Object.values(await results(made)).filter(each => each === 'not_tried')).toHaveLength(6)
    expect(asked).toEqual([])
  })

  it('are silent about a server without the endpoint', () => {
    const { made } = requester(strict, { metadata: { backchannel_authentication_endpoint: undefined } })
    expect(cibaChecks.some(({ applies }) => applies?.(made))).toBe(false)
  })
})
