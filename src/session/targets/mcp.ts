import { isProtectedAddress } from '../../flows/metadata/resource-metadata.js'
import { clockOf } from '../../lab/clock.js'
import { loadLabConfig } from '../../lab/lab-file/config.js'
import { readRecords } from '../../lab/state/running.js'
import { UsageError } from '../../protocol/errors.js'
import { quotedUrl, readAddress } from '../../protocol/http/address.js'
import { splitUrl } from '../../protocol/http/message.js'
import type { User } from '../../servers/authorization-server/model.js'
import { outside, type Target, type TrustOptions, trustedPem } from './target.js'

/** An MCP server, with the people who can log in at its authorization server. */
export interface McpTarget extends Target {
  /** Resource owners whose passwords are known: those of the running lab that the server belongs to. */
  readonly users: readonly User[]
  /** True for an MCP server of a running lab of this user. */
  readonly ofLab: boolean
  /** The authorization server of that lab. */
  readonly authorization?: string
}

/**
 * Checks the address of an MCP server, which gets tokens.
 * @throws UsageError for any other text, and where tokens would travel in the clear (RFC 6750 §5.3)
 */
export function mcpAddress(text: string): string {
  const read = readAddress(text)
  if (read === undefined || !/^https?:\/\//i.test(text)) {
    throw new UsageError(`${quotedUrl(text)} is no address of an MCP server`, [
      'It looks like https://mcp.example/mcp',
    ])
  }
  if (read.authorization !== undefined) {
    throw new UsageError('the address of an MCP server holds no user and no password', ['Leave them out'])
  }
  if (text.includes('#')) {
    throw new UsageError('the address of an MCP server has no fragment (RFC 8707 §2)', [
      'Leave out what is behind the #',
    ])
  }
  if (/[\s\p{Cc}]/u.test(text))
    throw new UsageError(`${quotedUrl(text)} holds characters that no address has`)
  if (isProtectedAddress(text)) return text
  throw new UsageError(`${quotedUrl(text)} has no TLS: tokens would travel in the clear (RFC 6750 §5.3)`, [
    'Name its https address; http is for servers on this computer, such as http://localhost:3000/mcp',
  ])
}

/** Finds the MCP server of a run. @throws UsageError */
export async function mcpTarget(text: string, options: TrustOptions): Promise<McpTarget> {
  const address = mcpAddress(text)
  const { origin } = splitUrl(address)
  const lab = (await readRecords(options.home)).find(({ urls }) => urls.resource === origin)
  const caPem = await trustedPem(options, lab?.urls.authorization ?? origin)
  if (lab === undefined) return { ...outside, address, caPem, users: [], ofLab: false }
  const { users } = await loadLabConfig(lab.config)
  return {
    ...outside,
    now: clockOf(lab.clock),
    address,
    caPem,
    users,
    ofLab: true,
    authorization: lab.urls.authorization,
  }
}
