import { SECURITY_PROFILES } from '../protocol/oauth/client.js'
import { weakNotice } from '../protocol/rules/weak-modes.js'
import { makeSafe } from '../protocol/safe-output/safe.js'
import { shellWord } from '../protocol/safe-output/shell.js'
import { STAGES } from '../servers/authorization-server/stages/stages.js'
import { mcpResource } from '../servers/resource-server/mcp/tools.js'
import type { KeySettings, ResourceServerSettings } from '../servers/resource-server/settings.js'
import type { LabConfig } from './lab-file/config.js'
import { isLocal } from './lab-file/names.js'
import { LISTENERS, type ListenerName, listenerNames } from './listening/listeners.js'
import type { Lab } from './model.js'
import type { RunningResourceServer } from './sites/resource-server.js'

const keySources: Readonly<Record<KeySettings['kind'], string>> = {
  discovery: 'fetched from the issuer',
  'public-key': 'the given public key',
  'shared-secret': 'the given secret',
}

/** Its address, its settings, and lines to paste. */
export function resourceGreeting(
  { url, certificates }: RunningResourceServer,
  { issuer, audiences, keys }: Pick<ResourceServerSettings, 'issuer' | 'audiences' | 'keys'>,
): string[] {
  const file = shellWord(certificates.caFile)
  return [
    `resource server  ${url}`,
    `MCP server       ${mcpResource(url)}`,
    `issuer           ${makeSafe(issuer)}`,
    `audiences        ${makeSafe(audiences.join(', '))}`,
    `keys             ${keySources[keys.kind]}`,
    `CA file          ${certificates.caFile}`,
    '',
    'To paste into another terminal:',
    `  curl --cacert ${file} ${url}/public`,
    `  curl --cacert ${file} -H "Authorization: Bearer $TOKEN" ${url}/resource`,
  ]
}

function clientToTry({ config }: Lab): string | undefined {
  return config.clients.find(each => each.enabled && each.grant_types.includes('authorization_code'))
    ?.client_id
}

function addressLine(name: ListenerName, url: string): string {
  return `${LISTENERS[name].title.padEnd(22)}${url}${name === 'http' ? '  (302 to https)' : ''}`
}

/** The addresses of a lab that was started, and lines to paste. */
export function labGreeting(lab: Lab): string[] {
  const { urls, caFile, config } = lab
  const file = shellWord(caFile)
  const client = clientToTry(lab)
  const published = config.stage === 'published-keys' && config.profile !== 'reference'
  const notice = weakNotice(config.weak)
  const lines = [
    ...(notice === undefined ? [] : [notice, '']),
    ...listenerNames.flatMap(name => (urls[name] === undefined ? [] : addressLine(name, urls[name]))),
    ...(urls.resource === undefined ? [] : [`${'MCP server'.padEnd(22)}${mcpResource(urls.resource)}`]),
    `lab file              ${config.file ?? 'built in (oauth-lab config show)'}`,
    `CA file               ${caFile}`,
    '',
    'To paste into another terminal:',
    `  curl --cacert ${file} ${urls.authorization}${published ? '/.well-known/openid-configuration' : '/'}`,
    `  export NODE_EXTRA_CA_CERTS=${file}`,
  ]
  if (urls.resource !== undefined) {
    lines.push(`  curl --cacert ${file} -H "Authorization: Bearer $TOKEN" ${urls.resource}/resource`)
  }
  if (urls.cluster !== undefined) {
    lines.push('  oauth-lab k8s kubeconfig > lab.kubeconfig')
    lines.push('  kubectl --kubeconfig lab.kubeconfig create token demo --audience api')
  }
  if (client !== undefined) lines.push(`  oauth-lab flow code --client ${shellWord(client)}`)
  return lines
}

export interface RiskySettings {
  readonly host?: string
  readonly seed?: number
  /** Milliseconds since the epoch. */
  readonly now?: number
}

/** For the person who started the lab. */
export async function labWarnings(lab: Lab, settings: RiskySettings): Promise<string[]> {
  const { caFile, certificates, config } = lab
  const { host } = settings
  const warnings = await modeWarnings(config, settings)
  if (!isLocal(host)) {
    warnings.push(
      `warning: with --host ${host} everyone who reaches this machine can log in with the lab's passwords and obtain tokens`,
    )
  }
  if (certificates.caChange !== undefined) {
    warnings.push(`note: ${caFile} is new (${certificates.caChange}); programs with a copy need this one`)
  }
  return warnings
}

async function modeWarnings(config: LabConfig, { seed, now }: RiskySettings): Promise<string[]> {
  const warnings: string[] = []
  if (config.profile === 'reference') {
    const { REFERENCE_WARNING } = await import('../servers/authorization-server/reference/server.js')
    const line = '!'.repeat(72)
    warnings.push(
      line,
      `!! ${REFERENCE_WARNING}`,
      '!! What it does otherwise:  oauth-lab serve --profile reference --explain',
      line,
    )
  }
  if (
    config.clients.some(each => each.profile !== undefined) ||
    SECURITY_PROFILES.some(each => each === config.profile)
  ) {
    const { unfitClients } = await import('./lab-file/profiled-clients.js')
    for (const { clientId, reasons } of unfitClients(config.clients, config.profile)) {
      warnings.push(`warning: client ${clientId}: ${reasons[0]}`)
    }
  }
  const { ENABLE_COMPRESSION: enable = '' } = process.env
  if (['0', 'false'].includes(enable.toLowerCase())) {
    warnings.push(
      `note: ENABLE_COMPRESSION=${enable} switches compression on; only an empty value leaves it off`,
    )
  }
  if (seed !== undefined) {
    warnings.push(
      'warning: --seed makes every code, token and csrf value predictable; it is for transcripts only',
    )
  }
  if (now !== undefined) {
    const shown = new Date(now).toISOString()
    warnings.push(`note: the lab's clock ${seed === undefined ? 'runs from' : 'stands still at'} ${shown}`)
  }
  const { differences } = STAGES[config.stage]
  if (differences.length > 0) {
    warnings.push(
      `note: stage ${config.stage} leaves things out; see oauth-lab serve --stage ${config.stage} --explain`,
    )
  }
  return warnings
}
