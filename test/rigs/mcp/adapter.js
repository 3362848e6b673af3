// Runs `oauth-lab flow mcp` for the conformance suite of MCP. The suite says by variables what a scenario is about;
// oauth-lab reads none of them, so this file turns them into options, files and stdin.
// node test/rigs/mcp/adapter.js URL
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const { MCP_CONFORMANCE_SCENARIO: scenario = '', MCP_CONFORMANCE_PROTOCOL_VERSION: revision } = process.env
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const folder = mkdtempSync(join(tmpdir(), 'oauth-lab-mcp-'))
const file = (name, text) => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

/** Options of the client that a scenario knows. */
function clientOptions() {
  const { client_id: id, client_secret: secret, private_key_pem: key, issuer } = context
  if (id === undefined) return []
  return [
    ...['--client-id', id],
    ...(secret === undefined ? [] : ['--client-secret-file', file('secret', secret)]),
    ...(key === undefined ? [] : ['--client-key', file('key.pem', key)]),
    ...(issuer === undefined ? [] : ['--issuer', issuer]),
  ]
}

/** Options of the grant that a scenario is about, and its stdin. */
function grantOptions() {
  if (scenario.startsWith('auth/client-credentials')) return [['--grant', 'client_credentials'], '']
  if (scenario === 'auth/wif-jwt-bearer')
    return [['--grant', 'jwt-bearer', '--assertion', '-'], context.valid_jwt]
  if (scenario !== 'auth/enterprise-managed-authorization') return [[], '']
  const idp = ['--idp', context.idp_issuer, '--idp-client-id', context.idp_client_id]
  return [['--grant', 'enterprise', '--assertion', '-', ...idp], context.idp_id_token]
}

const [grant, stdin] = grantOptions()
const args = [
  ...[
    'bin/oauth-lab.js',
    'flow',
    'mcp',
    process.argv.at(-1),
    '--plain',
    '--headless',
    '--revision',
    revision,
  ],
  ...clientOptions(),
  ...grant,
  // The document that the suite expects; it is never fetched.
  ...(scenario === 'auth/basic-cimd'
    ? ['--client-document', 'https://conformance-test.local/client-metadata.json']
    : []),
  ...(scenario.startsWith('auth/dpop') ? ['--dpop'] : []),
  ...(scenario.startsWith('auth/offline-access') ? ['--offline'] : []),
  ...['--call', 'test-tool'],
]
const run = spawnSync(process.env.OAUTH_LAB_NODE ?? process.execPath, args, {
  cwd: join(import.meta.dirname, '../../..'),
  input: stdin,
  stdio: ['pipe', 'inherit', 'inherit'],
  env: { ...process.env, OAUTH_LAB_HOME: join(folder, 'home') },
})
rmSync(folder, { recursive: true, force: true })
process.exitCode = run.status ?? 1
