import { resourceGreeting } from '../../lab/greeting.js'
import { loadLabConfig } from '../../lab/lab-file/config.js'
import { isLocal } from '../../lab/lab-file/names.js'
import { startResourceServer } from '../../lab/sites/resource-server.js'
import { proofAlgorithms } from '../../lab/sites/resource-settings.js'
import { UsageError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import { mcpResource } from '../../servers/resource-server/mcp/tools.js'
import type { KeySettings, ResourceServerSettings } from '../../servers/resource-server/settings.js'
import { readInputFile, readSecret } from '../../session/input/input.js'
import { issuerAddress } from '../../session/options/network.js'
import { trustedPem } from '../../session/targets/target.js'
import { printUntilEnd } from '../output/event-output.js'
import type { ResourceReady } from '../output/json-lines.js'
import { narrate } from '../output/output.js'
import type { Globals } from '../program/globals.js'

type Settings = Omit<ResourceServerSettings, 'baseUrl'>

async function keySettings({ key, secretStdin }: ResourceFlags): Promise<KeySettings> {
  if (key !== undefined) return { kind: 'public-key', pem: await readInputFile('the key', key) }
  if (secretStdin) return { kind: 'shared-secret', secret: (await readSecret()).toString('utf8') }
  return { kind: 'discovery' }
}

async function readSettings(flags: ResourceFlags, { config }: Globals): Promise<Settings> {
  const issuer = issuerAddress(flags.issuer, '--issuer ')
  const labFile = await loadLabConfig(config)
  const { resource } = labFile
  const audiences = flags.audience ?? resource.audiences ?? []
  if (audiences.length === 0) {
    throw new UsageError('no audience: a token for somebody else would be accepted (RFC 7519 §4.1.3)', [
      'Say who this server is:  --audience https://api.example',
    ])
  }
  if (resource.introspection) {
    narrate(
      'warning: resource.introspection is for the resource server of a lab; this one introspects no token',
    )
  }
  return defined({
    issuer,
    audiences,
    routes: resource.routes,
    keys: await keySettings(flags),
    asksForCertificates: flags.mtls,
    proofAlgorithms: proofAlgorithms(labFile),
  })
}

/** Runs a resource server until a signal comes. @throws UsageError, TransportError */
export async function runResource(flags: ResourceFlags, globals: Globals): Promise<number> {
  const settings = await readSettings(flags, globals)
  const { host, port } = flags
  const caPem = await trustedPem(globals, settings.issuer)
  const server = await startResourceServer({
    settings,
    home: globals.home,
    port,
    caPem,
    ...(host !== undefined && { host }),
  })
  if (!isLocal(host)) {
    narrate(`warning: with --host ${host} everyone who reaches this machine reaches this resource server`)
  }
  const { url, certificates, events } = server
  const ready: ResourceReady = {
    type: 'resource.ready',
    pid: process.pid,
    ca: certificates.caFile,
    urls: { resource: url, mcp: mcpResource(url) },
    issuer: settings.issuer,
    audiences: settings.audiences,
  }
  // Not waited for: an authority that is not there yet may come later.
  server.askAuthority().then(problem => {
    if (problem !== undefined) narrate(`warning: ${makeSafe(problem)}; until then tokens are answered 503`)
  })
  const greeting = [...resourceGreeting(server, settings), '', 'Ctrl-C stops it.']
  const exitCode = await printUntilEnd({ ready, greeting, events }, globals)
  await server.stop()
  return exitCode
}

/** Flags of `resource`. */
interface ResourceFlags {
  readonly issuer: string
  readonly audience?: readonly string[]
  readonly port: number
  readonly host?: string
  readonly key?: string
  readonly secretStdin?: true
  readonly mtls?: true
  readonly plain?: true
}
