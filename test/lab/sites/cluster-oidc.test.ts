import { request } from 'node:https'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Lab, startLab } from '../../../src/index.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { withOverrides } from '../../../src/lab/lab-file/overrides.js'

const LAB_ENTRY = {
  issuer: 'lab',
  client_id: 'kubernetes',
  username_prefix: 'oidc:',
  groups_claim: 'groups',
  groups_prefix: 'oidc:',
}

let lab: Lab<'authorization' | 'cluster'>
beforeAll(async () => {
  lab = await startLab({
    sites: ['authorization', 'cluster'],
    config: {
      cluster: { oidc: [LAB_ENTRY] },
      users: [{ username: 'alice', password: 'wonderland', claims: { groups: ['dev'] } }],
    },
  })
})
afterAll(() => lab.stop())

/** The tokens of a flow. */
async function tokens(
  name: 'code' | 'refresh',
  asked: { client: string; user: string; scope: string },
): Promise<{ readonly id_token?: string }> {
  for await (const record of lab.flow(name, asked)) if (record.type === 'outcome') return record.tokens ?? {}
  return {}
}

/** The user that the cluster takes the sender of a token for; the status of a refusal. */
function whoIs(token: string): Promise<unknown> {
  const url = `${lab.urls.cluster}/apis/authentication.k8s.io/v1/selfsubjectreviews`
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const asked = request(url, { method: 'POST', headers, ca: lab.ca.pem, agent: false }, async answer => {
      const parts: Buffer[] = []
      for await (const part of answer) parts.push(part as Buffer)
      const { status, code } = JSON.parse(Buffer.concat(parts).toString())
      resolve(status.userInfo ?? code)
    })
    asked.on('error', reject).end('{}')
  })
}

describe('a cluster that trusts the lab', () => {
  it('takes users of the lab by their ID tokens, with their groups, and by renewed ones', async () => {
    const flow = { client: 'kubernetes', user: 'alice', scope: 'openid groups offline_access' }
    for (const name of ['code', 'refresh'] as const) {
      const { id_token: idToken } = await tokens(name, flow)
      expect(await whoIs(idToken ?? '')).toEqual({
        username: 'oidc:alice',
        groups: ['oidc:dev', 'system:authenticated'],
      })
    }
  })

  it('refuses tokens for another client', async () => {
    const { id_token: idToken } = await tokens('code', { client: 'demo', user: 'alice', scope: 'openid' })
    expect(await whoIs(idToken ?? '')).toBe(401)
  })
})

it('serve --cluster-oidc adds the issuer, the client and the scope once', async () => {
  const options = { publicDiscovery: true, anonymous: true, clusterOidc: true } as const
  const config = withOverrides(await loadLabConfig(null), options, {})
  const again = withOverrides(config, options, {})
  expect(again.cluster.oidc).toMatchObject([
    { issuer: 'lab', clientId: 'kubernetes', usernameClaim: 'sub', usernamePrefix: 'oidc:' },
  ])
  expect(again.clients.filter(each => each.client_id === 'kubernetes')).toHaveLength(1)
  expect(again.effective.cluster?.oidc).toHaveLength(1)
  expect(again.scopes).toHaveProperty('groups')
  const without = withOverrides(await loadLabConfig(null), { publicDiscovery: true, anonymous: true }, {})
  expect(without.clients.some(each => each.client_id === 'kubernetes')).toBe(false)
})
