import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clusterTokenLifetime } from '../../../src/lab/lab-file/cluster-config.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { sharedFolder } from '../../support/shared.js'

const { path: folder } = sharedFolder()

const clusterOf = async (cluster: string) => {
  const file = join(folder, 'lab.yaml')
  writeFileSync(file, `cluster: ${cluster}\n`)
  return (await loadLabConfig(file)).cluster
}

describe('the cluster of a lab', () => {
  it('is built in', async () => {
    const { cluster } = await loadLabConfig(null)
    const open = { extendedExpiration: true, publicDiscovery: true, anonymous: true }
    expect(cluster).toMatchObject({ maxTokenExpiration: 172_800, ...open })
    expect(cluster.tokens.map(each => [each.token, each.groups])).toEqual([
      ['lab-admin-token', ['system:masters']],
      ['lab-limited-token', []],
    ])
    expect(cluster).not.toHaveProperty('issuer')
  })

  it('keeps members of the built-in one that a file leaves out, and replaces lists', async () => {
    const cluster = await clusterOf(
      '{ issuer: "https://cluster.example", max_token_expiration: 1h, public_discovery: false, namespaces: { team: { service_accounts: [bot] }, lab: { service_accounts: [demo] } } }',
    )
    expect(cluster).toMatchObject({
      issuer: 'https://cluster.example',
      maxTokenExpiration: 3600,
      publicDiscovery: false,
      anonymous: true,
    })
    expect(Object.keys(cluster.namespaces)).toEqual(['default', 'lab', 'team'])
    expect(cluster.namespaces.lab).toMatchObject({ serviceAccounts: ['demo'], secrets: ['demo-key'] })
    expect(cluster.tokens).toHaveLength(2)
  })

  it('has its keys published for as long as its longest token lives', async () => {
    expect(clusterTokenLifetime(await clusterOf('{}'))).toBe(365 * 86_400_000)
    expect(clusterTokenLifetime(await clusterOf('{ extended_expiration: false }'))).toBe(172_800_000)
  })
})
