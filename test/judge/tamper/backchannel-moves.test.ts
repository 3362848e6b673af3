import { describe, expect, it } from 'vitest'
import { flows } from '../../../src/flows/flows.js'
import type { TokenMessage } from '../../../src/judge/tamper/messages.js'
import { backchannelMoves } from '../../../src/judge/tamper/moves/token-requests.js'
import { whyNotHere, whyNotIn } from '../../../src/judge/tamper/moves.js'
import { tamperedPlan } from '../../../src/judge/tamper/plan.js'
import { shapeOf } from '../../../src/judge/tamper/shape.js'
import type { ClientIdentity, Situation } from '../../../src/judge/tamper/situation.js'
import { limitsIn } from '../../../src/judge/tamper/tampering.js'
import type { FormPairs } from '../../../src/protocol/http/form.js'
import { jsonResponse } from '../../../src/protocol/http/message.js'
import { basicHeader } from '../../../src/protocol/oauth/client-auth.js'
import { recorded } from '../../flows/support/network.js'
import { scriptedOptions } from '../../flows/support/scripted.js'
import { move } from './named-move.js'

const client: ClientIdentity = { clientId: 'till', clientSecret: 's', auth: 'client_secret_basic' }
const situation: Situation = {
  flow: shapeOf('ciba'),
  client,
  redirectUri: '',
  pkce: true,
  challengeMethods: [],
  issPromised: false,
  resourceServer: false,
}

const request: TokenMessage = {
  method: 'POST',
  url: 'https://as.test/b',
  headers: [basicHeader('till', 's')],
  pairs: [
    ['scope', 'openid records:read'],
    ['login_hint', 'alice'],
    ['binding_message', 'W4SCT'],
  ],
}

/** Makes a move on the honest backchannel request. */
function changed(name: string, message = request): TokenMessage {
  const found = move(name)
  if (found.at !== 'backchannel_authentication_request') throw new Error(`${name} changes another message`)
  return found.change(message, client)
}

describe('wrong backchannel authentication requests', () => {
  it.each<[string, FormPairs]>([
    ['two-hints', [...request.pairs, ['login_hint_token', 'alice']]],
    [
      'no-hint',
      [
        ['scope', 'openid records:read'],
        ['binding_message', 'W4SCT'],
      ],
    ],
    ['no-openid-scope', [['scope', 'records:read'], ...request.pairs.slice(1)]],
    ['unauthenticated-backchannel-request', [...request.pairs, ['client_id', 'till']]],
  ])('%s is wrong in one point', (name, pairs) => {
    const made = changed(name)
    expect(made.pairs).toEqual(pairs)
    const bare = name === 'unauthenticated-backchannel-request'
    expect(made.headers).toEqual(bare ? [] : request.headers)
  })

  it('still asks for something without openid', () => {
    const alone = { ...request, pairs: [['scope', 'openid']] as const }
    expect(changed('no-openid-scope', alone).pairs).toEqual([['scope', 'profile']])
  })

  it.each([
    [{ ...client, auth: 'none' } as const, /public/],
    [{ ...client, auth: 'none', proof: 'certificate' } as const, /certificate/],
    [{ ...client, auth: 'none', proof: 'key' } as const, undefined],
  ])('leaves out credentials only where there are any: %j', (identity, why) => {
    const found = whyNotHere(move('unauthenticated-backchannel-request'), { ...situation, client: identity })
    if (why === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(why)
  })

  it.each(backchannelMoves.map(({ name }) => name))('%s is for this flow alone', name => {
    expect(whyNotIn(move(name), shapeOf('ciba'))).toBeUndefined()
    for (const other of ['code', 'device', 'implicit'] as const) {
      expect(whyNotIn(move(name), shapeOf(other))).toBeDefined()
    }
  })

  it('end with the step that is to be refused, also where a client that is pinged polls once', () => {
    const endpoint = 'https://localhost:9443/ping'
    const last = (name: string, notificationEndpoint?: string) => {
      const hint = { name: 'login_hint', value: 'alice' } as const
      const backchannel = { hint, ...(notificationEndpoint !== undefined && { notificationEndpoint }) }
      const plan = flows.ciba.plan({ ...scriptedOptions, backchannel })
      return tamperedPlan(plan, move(name), situation).map(each => each.name)
    }
    expect(last('two-hints')).toEqual(['backchannel_authentication_request'])
    expect(last('guessed-auth-req-id').at(-1)).toBe('poll_request')
    expect(last('guessed-auth-req-id', endpoint).at(-1)).toBe('token_request')
    expect(last('reuse-auth-req-id').slice(-2)).toEqual(['token_request', 'token_request'])
  })

  it('know how long a request lives, from its acknowledgement', () => {
    const answer = jsonResponse(200, { auth_req_id: 'x', expires_in: 120 })
    const message = { method: 'POST', url: 'https://as.test/b', headers: [], body: new Uint8Array() }
    expect(limitsIn(recorded(message, answer))).toEqual({ statedLifetime: 120_000 })
  })
})
