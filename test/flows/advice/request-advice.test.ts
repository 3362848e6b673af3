import { expect, it } from 'vitest'
import type { AdviceFacts } from '../../../src/flows/advice/advice.js'
import type { StepName } from '../../../src/flows/step.js'
import { hintsOf, refused, stepAt } from '../support/refusals.js'

const byKey = { requestObject: { kind: 'signed', key: { alg: 'ES256', privateKey: {} as never } } } as const
const bySecret = { requestObject: { kind: 'signed', secret: 'x' } } as const
const unsigned = { requestObject: { kind: 'unsigned' } } as const
const badObject = (name: string, detail: string) =>
  `invalid_request_object: the ${name} of the request object is not good: ${detail}`
const bound = { bound: true }
const lab = { foreign: false }

type Case = [refusal: string, at: StepName, facts: Partial<AdviceFacts>, ...hints: RegExp[]]

const cases: Case[] = [
  [
    badObject('signature', 'it does not match'),
    'login_form',
    byKey,
    /suspect .* changed on its way, or signed by another key/,
    /public key of client web .*--client-key/,
  ],
  ['invalid_request_object: no', 'login_form', bySecret, /suspect/, /secret .*HS256/],
  [badObject('exp', 'expired'), 'authorization_response', byKey, /clock/, /suspect an old request object/],
  [badObject('aud', 'x'), 'authorization_response', byKey, /object for another server.*https:\/\/id\.test/],
  [badObject('client_id', 'x'), 'authorization_response', byKey, /request that another client made.* web /],
  [
    badObject('alg', 'none; this request must be signed'),
    'login_form',
    unsigned,
    /request_object_signing_alg/,
    /--request-object signed --client-key FILE/,
  ],
  [
    'invalid_request_object: the request object was used before',
    'authorization_response',
    byKey,
    /suspect a request that somebody found/,
  ],
  ['request_not_supported: no', 'login_form', byKey, /leave --request-object out/],
  [
    'invalid_request: the request must be a signed request object; send request',
    'authorization_response',
    {},
    /--request-object signed/,
  ],
  [
    'invalid_request_uri: unknown',
    'login_form',
    { push: true },
    /suspect a link that was opened before/,
    /start again/,
  ],
  ['invalid_request: pushed authorization requests only', 'authorization_response', {}, /--par$/],
  ['invalid_dpop_proof: the request has no DPoP proof', 'token_request', {}, /--dpop$/],
  ['invalid_request: DPoP proof required', 'token_request', {}, /--dpop$/],
  ['invalid_dpop_proof: iat is too long ago', 'token_request', bound, /clock/, /\(htu\)/],
  ['invalid_dpop_proof: the proof was used before', 'refresh_request', bound, /somebody who read a request/],
  ['use_dpop_nonce: no', 'token_request', bound, /share their nonces/],
  [
    'invalid_grant: the code is bound to a key: the proof is by another key',
    'token_request',
    bound,
    /suspect a stolen code/,
    /each run has a key of its own/,
  ],
  [
    'invalid_client: FAPI 2.0 Security Profile: clients authenticate by private_key_jwt',
    'token_request',
    lab,
    /--auth private_key_jwt --client-key FILE; .*--cert FILE/,
  ],
  ['unsupported_grant_type: OAuth 2.1 has no grant password', 'token_request', lab, /flow code/],
  ['unauthorized_client: OAuth 2.1 has no response_type token', 'authorization_response', {}, /flow code/],
  ['invalid_grant: expired', 'token_request', { ...bound, ...lab }],
  ['invalid_token: the DPoP proof is bad', 'resource_request', lab],
]

it.each<Case>(cases)('the next move after a refusal of %s at %s', async (refusal, at, facts, ...hints) => {
  const [code = '', ...description] = refusal.split(': ')
  const found = await hintsOf([stepAt(at, 400), refused(code, description.join(': '))], facts)
  expect(found).toEqual(hints.map(hint => expect.stringMatching(hint)))
})
