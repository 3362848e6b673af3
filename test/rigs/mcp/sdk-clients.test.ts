import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../support/program.js'
import { pythonWith } from '../../support/python.js'
import { describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'

const lab = sharedLab()

describeWith([rigs], 'the TypeScript SDKs of MCP', () => {
  it.each([
    ['1', 'demo-spa', '2025-11-25'],
    ['1', 'a registered client', '2025-11-25'],
    ['2', 'demo-spa', '2026-07-28'],
    ['2', 'a registered client', '2026-07-28'],
  ])('version %s log in as %s', async (version, client, revision) => {
    const { mcp } = lab.ready.urls
    const given = client === 'demo-spa' ? [client] : []
    const program = join(import.meta.dirname, 'sdk-client.js')
    const env = { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca }
    const { code, stdout, stderr } = await run(process.execPath, [program, mcp, version, ...given], { env })
    expect(code, stderr).toBe(0)
    const first = { scope: expect.stringContaining('records:read'), resource: mcp }
    const stepUp = { scope: expect.stringContaining('records:write'), resource: mcp }
    expect(JSON.parse(stdout)).toEqual({
      revision,
      whoami: expect.objectContaining({ sub: 'alice', aud: mcp }),
      tools: ['whoami', 'records', 'write_record'],
      requests: [first, stepUp],
      wrote: 'by the SDK',
    })
  })
})

describeWith([rigs], 'oauth4webapi', () => {
  it('calls tools with DPoP', async () => {
    const { ca, urls } = lab.ready
    const program = join(import.meta.dirname, 'dpop-oauth4webapi.js')
    const env = { ...lab.env, NODE_EXTRA_CA_CERTS: ca }
    const { code, stdout, stderr } = await run(process.execPath, [program, urls.mcp], { env })
    expect(code, stderr).toBe(0)
    const refused = { status: 401, scheme: 'dpop', error: 'invalid_token' }
    expect(JSON.parse(stdout)).toEqual({
      type: 'dpop',
      whoami: {
        status: 200,
        result: expect.objectContaining({ sub: 'alice', aud: urls.mcp, scheme: 'DPoP' }),
      },
      records: { status: 200, result: { records: expect.any(Array) } },
      otherKey: refused,
      asBearer: refused,
      stepUp: { status: 403, scheme: 'dpop', error: 'insufficient_scope', scope: 'records:write' },
    })
  })
})

describeWith(['python3'], 'the Python SDK of MCP', () => {
  it('registers itself, logs in, calls a tool and steps up', { timeout: 400_000 }, async ({ skip }) => {
    const python = await pythonWith('mcp-python-sdk', join(import.meta.dirname, 'python-requirements.txt'))
    if (python === undefined) return skip('the Python SDK cannot be installed from PyPI')
    const { ca, urls } = lab.ready
    const args = [join(import.meta.dirname, 'python-sdk.py'), urls.mcp, ca]
    const { code, stdout, stderr } = await run(python, args, { env: lab.env })
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      tools: ['whoami', 'records', 'write_record'],
      whoami: expect.objectContaining({ sub: 'alice', aud: urls.mcp }),
      wrote: expect.objectContaining({ value: 'by the SDK' }),
    })
  })
})
