import { makeSafe } from '../protocol/safe-output/safe.js'
import { shellWord } from '../protocol/safe-output/shell.js'
import { mcpResource } from '../servers/resource-server/mcp/tools.js'
import type { KeySettings, ResourceServerSettings } from '../servers/resource-server/settings.js'
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
