import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MCP_GRANTS } from '../../../src/flows/mcp/options.js'
import { REGISTRATIONS } from '../../../src/flows/mcp/register.js'
import { REVISIONS } from '../../../src/flows/mcp/revisions.js'
import { checkMcpOptions, mcpOptions } from '../../../src/session/options/mcp.js'
import { type McpRunOptions, mcpFlow } from '../../../src/session/options/table.js'
import { mcpAddress } from '../../../src/session/targets/mcp.js'
import { sharedFolder } from '../../support/shared.js'

const folder = sharedFolder()
const base: McpRunOptions = { grant: 'authorization_code', browser: false, open: true }
const url = 'https://mcp.example/mcp'

describe('options that do not fit together', () => {
  it.each([
    [{ grant: 'jwt-bearer', clientId: 'c' }, /needs the JWT/],
    [{ grant: 'enterprise', clientId: 'c' }, /needs the ID token/],
    [{ assertion: '-' }, /not for authorization_code/],
    [{ grant: 'enterprise', clientId: 'c', assertion: '-' }, /identity provider/],
    [{ grant: 'client_credentials' }, /--grant client_credentials needs a client/],
    [{ clientSecretFile: 'x' }, /--client-secret-file belongs to a client/],
    [{ issuer: 'https://id.example' }, /--issuer belongs to a client or a password/],
    [{ arguments: '{}' }, /--arguments belongs to a call/],
    [{ grant: 'jwt-bearer', clientId: 'c', assertion: '-', passwordStdin: true }, /both read stdin/],
  ] as [Partial<McpRunOptions>, RegExp][])('%j', (more, message) => {
    expect(() => checkMcpOptions({ ...base, ...more })).toThrowError(message)
  })
})

describe('values of options', () => {
  it.each([
    [{ clientDocument: 'http://app.example/c.json' }, /no https address/],
    [{ clientDocument: 'app.example' }, /no https address/],
    [{ clientId: 'c', issuer: 'http://id.example' }, /no TLS/],
    [{ grant: 'jwt-bearer', clientId: 'c', assertion: 'x.y' }, /no JWT/],
    [{ call: 't', arguments: '[1]' }, /no JSON object/],
    [{ call: 't', arguments: '{' }, /no JSON object/],
    [{ redirectUri: 'nowhere' }, /no address/],
    [{ redirectUri: 'https://app.example/cb', browser: true }, /loopback/],
    [{ clientId: 'c', clientSecretFile: '/no/such/file' }, /client secret/],
  ] as [Partial<McpRunOptions>, RegExp][])('%j is refused', async (more, message) => {
    await expect(mcpOptions(url, { ...base, ...more })).rejects.toThrowError(message)
  })

  it('come from files', async () => {
    const secret = join(folder.path, 'secret')
    const given = join(folder.path, 'arguments.json')
    writeFileSync(secret, 's3cret\n')
    writeFileSync(given, '{"text":"hello"}')
    const options = await mcpOptions(url, {
      ...base,
      clientId: 'c',
      clientSecretFile: secret,
      call: 'write',
      arguments: `@${given}`,
      dpop: true,
    })
    expect(options.given).toEqual({ clientId: 'c', clientSecret: 's3cret' })
    expect(options.call).toEqual({ name: 'write', arguments: { text: 'hello' } })
    expect(options.dpop?.jkt).toMatch(/^[\w-]{43}$/)
  })
})

it('offers the choices that the flow has', () => {
  const choices = (flag: string) => mcpFlow.find(({ flags }) => flags.startsWith(`${flag} `))?.choices
  expect(choices('--revision')).toEqual(REVISIONS)
  expect(choices('--register')).toEqual(REGISTRATIONS)
  expect(choices('--grant')).toEqual(MCP_GRANTS)
})

describe('the address of an MCP server', () => {
  it.each([
    'https://mcp.example/mcp',
    'https://mcp.example',
    'http://localhost:3000/mcp?x=1',
    'http://[::1]:3000/',
  ])('%s', address => expect(mcpAddress(address)).toBe(address))

  it.each([
    ['mcp.example/mcp', /no address of an MCP server/],
    ['ftp://mcp.example', /no address of an MCP server/],
    ['http://mcp.example/mcp', /no TLS/],
    ['https://mcp.example/mcp#x', /fragment/],
    ['https://user:pw@mcp.example/mcp', /no user and no password/],
    ['https://mcp.example/a b', /no address|characters/],
    ['', /no address/],
  ])('%s is refused', (address, message) => {
    expect(() => mcpAddress(address)).toThrowError(message)
  })
})
