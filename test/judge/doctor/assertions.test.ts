import { expect, it } from 'vitest'
import type { ServerUnderTest } from '../../../src/judge/doctor/server-under-test.js'
import { parseForm } from '../../../src/protocol/http/form.js'
import { jsonResponse, text } from '../../../src/protocol/http/message.js'
import { decodeIfJwt } from '../../../src/protocol/tokens/decode.js'
import { assertionIssuers, sources } from '../../flows/support/everything.js'
import { demo, ISSUER, REDIRECT_URI, type Tamper, world } from '../../flows/support/world.js'
import { tamperPorts } from '../tamper/support.js'
import { report } from './support.js'

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

/** The findings about the assertion grant of a server, by name. */
async function found(more: Partial<ServerUnderTest>, grants = [JWT_BEARER], tamper?: Tamper) {
  const client = { ...demo, grant_types: [...demo.grant_types, ...grants] }
  const here = await world({ client, assertionIssuers, ...(tamper && { tamper }) })
  const server: ServerUnderTest = {
    issuer: ISSUER,
    client: { clientId: demo.client_id, clientSecret: 'demo-secret', auth: 'client_secret_basic' },
    redirectUri: REDIRECT_URI,
    credentials: { username: 'alice', password: 'wonderland' },
    ...more,
  }
  const all = await report(tamperPorts(here), server, new AbortController().signal)
  const ofGroup = all.filter(({ group }) => group === 'assertion')
  return Object.fromEntries(ofGroup.map(({ name, result, detail }) => [name, { result, detail }]))
}

const NAMES = [
  'expired-assertion',
  'other-audience-assertion',
  'unknown-issuer-assertion',
  'other-client-assertion',
  'other-kind-assertion',
  'altered-assertion',
  'unsigned-assertion',
  'replayed-assertion',
]

it('passes a server that judges every assertion', async () => {
  const findings = await found({ assertion: sources.jwt })
  expect(Object.keys(findings)).toEqual(NAMES)
  for (const name of NAMES) expect(findings[name]).toMatchObject({ result: 'pass' })
})

it('finds a server that takes the ID-JAG of another client', async () => {
  const takesAll: Tamper = ({ body }, answer) => {
    const assertion = parseForm(text(body)).find(([name]) => name === 'assertion')?.[1] ?? ''
    const { typ } = decodeIfJwt(assertion)?.header ?? {}
    return typ === 'oauth-id-jag+jwt'
      ? jsonResponse(200, { access_token: 'x', token_type: 'Bearer' })
      : answer
  }
  const { 'other-client-assertion': other, ...rest } = await found(
    { assertion: sources.jwt },
    [JWT_BEARER],
    takesAll,
  )
  expect(other).toMatchObject({ result: 'fault' })
  for (const { result } of Object.values(rest)) expect(result).toBe('pass')
})

const unknown = { ...sources.jwt, issuer: 'https://x.example' }

it.each<[string, Partial<ServerUnderTest>, string[], 'not_tried' | 'not_applicable', string]>([
  ['nobody here signs them', {}, [JWT_BEARER], 'not_tried', '--assertion-issuer NAME --issuer-key FILE'],
  ['the server believes another issuer', { assertion: unknown }, [JWT_BEARER], 'not_tried', 'gets no token'],
  ['the client may not use them', { assertion: sources.jwt }, [], 'not_applicable', 'may not use the grant'],
])('tries no assertion where %s', async (_, server, grants, result, why) => {
  const findings = await found(server, grants)
  expect(Object.keys(findings)).toEqual(NAMES)
  for (const name of NAMES) expect(findings[name]).toEqual({ result, detail: expect.stringContaining(why) })
})
