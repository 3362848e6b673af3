import { describe, expect, it } from 'vitest'
import type { AdviceFacts } from '../../../src/flows/advice/advice.js'
import type { StepName } from '../../../src/flows/step.js'
import { hintsOf, refused, stepAt } from '../support/refusals.js'

const byKey = { requestObject: { kind: 'signed', key: { alg: 'ES256', privateKey: {} as never } } } as const
const bySecret = { requestObject: { kind: 'signed', secret: 'x' } } as const
const unsigned = { requestObject: { kind: 'unsigned' } } as const
const badObject = (name: string, detail: string) => `the ${name} of the request object is not good: ${detail}`

type Case = [
  what: string,
  refusal: readonly [code: string, description: string],
  at: StepName,
  facts: Partial<AdviceFacts>,
  hints: readonly RegExp[],
]

const cases: readonly Case[] = [
  [
    'a bad signature',
    ['invalid_request_object', badObject('signature', 'it does not match')],
    'login_form',
    byKey,
    [/suspect .* changed on its way, or signed by another key/, /public key of client web .*--client-key/],
  ],
  ['a bad HS256', ['invalid_request_object', 'no'], 'login_form', bySecret, [/suspect/, /secret .*HS256/]],
  [
    'an expired object',
    ['invalid_request_object', badObject('exp', 'expired 600 s ago')],
    'authorization_response',
    byKey,
    [/clock/, /suspect an old request object/],
  ],
  [
    'an object for another server',
    ['invalid_request_object', badObject('aud', 'x')],
    'authorization_response',
    byKey,
    [/suspect a request object for another server.*https:\/\/id\.test/],
  ],
  [
    'an object of another client',
    ['invalid_request_object', badObject('client_id', 'x')],
    'authorization_response',
    byKey,
    [/suspect a request that another client made.* web /],
  ],
  [
    'an unsigned object',
    ['invalid_request_object', badObject('alg', 'none; this request must be signed')],
    'login_form',
    unsigned,
    [/request_object_signing_alg/, /--request-object signed --client-key FILE/],
  ],
  [
    'an object that was used before',
    ['invalid_request_object', 'the request object was used before'],
    'authorization_response',
    byKey,
    [/suspect a request that somebody found/],
  ],
  [
    'no request objects',
    ['request_not_supported', 'no'],
    'login_form',
    byKey,
    [/leave --request-object out/],
  ],
  [
    'a plain request where signed ones are required',
    ['invalid_request', 'the request must be a signed request object; send request'],
    'authorization_response',
    {},
    [/--request-object signed/],
  ],
  [
    'a request_uri that was used',
    ['invalid_request_uri', 'unknown'],
    'login_form',
    { push: true },
    [/suspect a link that was opened before/, /start again/],
  ],
  [
    'a request that was not pushed',
    ['invalid_request', 'this client takes pushed authorization requests only'],
    'authorization_response',
    {},
    [/--par$/],
  ],
  ['no proof', ['invalid_dpop_proof', 'the request has no DPoP proof'], 'token_request', {}, [/--dpop$/]],
  ['no proof, in other words', ['invalid_request', 'DPoP proof required'], 'token_request', {}, [/--dpop$/]],
  [
    'an old proof',
    ['invalid_dpop_proof', 'iat is too long ago'],
    'token_request',
    { bound: true },
    [/clock/, /\(htu\)/],
  ],
  [
    'a proof that was used before',
    ['invalid_dpop_proof', 'the proof was used before'],
    'refresh_request',
    { bound: true },
    [/suspect somebody who read a request/],
  ],
  [
    'a nonce that is not taken',
    ['use_dpop_nonce', 'no'],
    'token_request',
    { bound: true },
    [/share their nonces/],
  ],
  [
    'a code that is bound to another key',
    ['invalid_grant', 'the code is bound to a key: the proof is by another key'],
    'token_request',
    { bound: true },
    [/suspect a stolen code/, /each run has a key of its own/],
  ],
  [
    'a secret where a profile wants a signature',
    ['invalid_client', 'FAPI 2.0 Security Profile: clients authenticate by private_key_jwt'],
    'token_request',
    { foreign: false },
    [/--auth private_key_jwt --client-key FILE; .*--cert FILE/],
  ],
  [
    'a grant that a profile leaves out',
    ['unsupported_grant_type', 'OAuth 2.1 has no grant password: the client sees the password'],
    'token_request',
    { foreign: false },
    [/flow code/],
  ],
  [
    'a response type that the profile of this client leaves out',
    ['unauthorized_client', 'OAuth 2.1 has no response_type token; this client may use: code'],
    'authorization_response',
    { foreign: true },
    [/flow code/],
  ],
]

describe('the next move after a refusal', () => {
  it.each(cases)('of %s', async (_what, [code, description], at, facts, hints) => {
    const found = await hintsOf([stepAt(at, 400), refused(code, description)], facts)
    expect(found).toHaveLength(hints.length)
    for (const [i, hint] of hints.entries()) expect(found[i]).toMatch(hint)
  })

  it.each<Case>([
    [
      'a code that is no more',
      ['invalid_grant', 'expired'],
      'token_request',
      { bound: true, foreign: false },
      [],
    ],
    [
      'a proof at a resource',
      ['invalid_token', 'the DPoP proof is bad'],
      'resource_request',
      { foreign: false },
      [],
    ],
  ])('is none of these after %s', async (_what, [code, description], at, facts) => {
    expect(await hintsOf([stepAt(at, 400), refused(code, description)], facts)).toEqual([])
  })
})
