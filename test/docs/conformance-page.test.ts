import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../src/lab/lab-file/config.js'
import { labFileRemarks } from '../../src/lab/lab-file/lab-file.js'
import type { AuthorizationServerMetadata } from '../../src/protocol/oauth/metadata.js'
import type { ClientCalls } from '../../src/servers/authorization-server/settings.js'
import { registrationLab } from '../servers/authorization-server/registration/support.js'
import { json } from '../servers/authorization-server/support.js'
import { read, root } from '../support/source-files.js'

const PAGE = 'docs/maintainers/conformance.md'
const LAB_FILE = join(root, 'examples/conformance.yaml')

interface Row {
  readonly plans: string
  readonly has: string
  readonly shown: string
  readonly gaps: string
}

/** The rows of both tables. */
const rows: readonly Row[] = read(PAGE)
  .split('\n')
  .filter(line => line.startsWith('| `'))
  .map(line => {
    const [plans = '', has = '', shown = '', gaps = ''] = line.slice(2, -2).split(' | ')
    return { plans, has, shown, gaps }
  })

/** The metadata do not depend on a call, so none is made. */
const never = () => new Promise<never>(() => {})
const clientCalls: ClientCalls = { post: never, postJson: never, pause: never }

const { issuer: _, ...announced } = json(
  await registrationLab({}, { mtlsUrl: () => 'https://localhost:8449' }, { clientCalls }).get(
    '/.well-known/openid-configuration',
  ),
) as unknown as AuthorizationServerMetadata & Readonly<Record<string, unknown>>

const lists = (member: string, value: string) => {
  const list = announced[member]
  return Array.isArray(list) && list.includes(value)
}

/** Each feature that the metadata announces, and the plan whose row must be there. */
const features: readonly (readonly [plan: string, announced: boolean])[] = [
  ['oidcc-config-certification-test-plan', announced.jwks_uri !== undefined],
  ['oidcc-basic-certification-test-plan', lists('response_types_supported', 'code')],
  ['oidcc-implicit-certification-test-plan', lists('response_types_supported', 'id_token token')],
  ['oidcc-hybrid-certification-test-plan', lists('response_types_supported', 'code id_token token')],
  ['oidcc-formpost-basic-certification-test-plan', lists('response_modes_supported', 'form_post')],
  ['oidcc-formpost-implicit-certification-test-plan', lists('response_modes_supported', 'form_post')],
  ['oidcc-formpost-hybrid-certification-test-plan', lists('response_modes_supported', 'form_post')],
  ['oidcc-dynamic-certification-test-plan', announced.registration_endpoint !== undefined],
  ['oidcc-rp-initiated-logout-certification-test-plan', announced.end_session_endpoint !== undefined],
  [
    'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    announced.backchannel_logout_supported === true,
  ],
  [
    'oidcc-frontchannel-rp-initiated-logout-certification-test-plan',
    announced.frontchannel_logout_supported === true,
  ],
  ['oidcc-session-management-certification-test-plan', announced.check_session_iframe !== undefined],
  [
    'fapi2-security-profile-final-test-plan`: `private_key_jwt`, DPoP',
    lists('token_endpoint_auth_methods_supported', 'private_key_jwt') &&
      announced.dpop_signing_alg_values_supported !== undefined,
  ],
  [
    'fapi2-security-profile-final-test-plan`: mTLS',
    announced.tls_client_certificate_bound_access_tokens === true,
  ],
  [
    'fapi2-security-profile-final-test-plan`: client credentials',
    lists('grant_types_supported', 'client_credentials'),
  ],
  ['fapi2-message-signing-final-test-plan', lists('response_modes_supported', 'jwt')],
]

describe('docs/maintainers/conformance.md', () => {
  it('says that nothing is certified', () => {
    expect(read(PAGE)).toContain('self-tested, never certified')
  })

  it('has whole rows', () => {
    expect(rows.length).toBeGreaterThan(20)
    expect(rows.filter(each => Object.values(each).some(cell => cell.trim() === ''))).toEqual([])
  })

  it.each(rows)('names tests that exist: $plans', ({ shown }) => {
    const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
    expect(files.length).toBeGreaterThan(0)
    expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
  })

  it.each(features)('%s has one row, which is not a promise', (plan, supported) => {
    const found = rows.filter(({ plans }) => plans.includes(`\`${plan}`))
    expect(found).toHaveLength(1)
    if (!supported) expect(found[0]?.gaps).toContain('**not yet**')
  })
})

describe('examples/conformance.yaml', () => {
  it('is a good lab file, without remarks', async () => {
    const { clients } = await loadLabConfig(LAB_FILE)
    expect(clients).toHaveLength(10)
    expect(await labFileRemarks(LAB_FILE)).toEqual([])
  })

  it('has the addresses of the suite', async () => {
    const { clients } = await loadLabConfig(LAB_FILE)
    const addresses = clients.flatMap(each => each.redirect_uris)
    const callback = 'https://localhost.emobix.co.uk:8443/test/a/oauth-lab/callback'
    expect(new Set(addresses.map(each => each.split('?')[0]))).toEqual(new Set([callback]))
  })

  it.each(['oidc', 'fapi2'])('has the clients of examples/conformance-%s.json', async name => {
    const { clients } = await loadLabConfig(LAB_FILE)
    const suite = JSON.parse(read(`examples/conformance-${name}.json`)) as Record<
      'client' | 'client2',
      { client_id: string; client_secret?: string; jwks?: { keys: Record<string, unknown>[] } }
    >
    for (const { client_id, client_secret, jwks } of [suite.client, suite.client2]) {
      const client = clients.find(each => each.client_id === client_id)
      expect(client?.client_secret).toBe(client_secret)
      const publicKeys = jwks?.keys.map(({ d: _d, ...key }) => key)
      expect(client?.jwks?.keys).toEqual(publicKeys)
    }
  })
})
