import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { freePort } from '../../support/free-ports.js'
import { ask } from '../../support/https.js'
import { run, start, until } from '../../support/program.js'
import { sharedLab } from '../../support/shared.js'
import { describeSuite, newerNode, opener, suite } from './suite.js'

describeSuite('the authorization server in the conformance suite of MCP', () => {
  const lab = sharedLab()

  /** Registers a public client, as a program does that meets the server for the first time. Returns its id. */
  async function register(port: number): Promise<string> {
    const { status, body } = await ask(`${lab.ready.urls.authorization}/register`, {
      ca: readFileSync(lab.ready.ca, 'utf8'),
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        token_endpoint_auth_method: 'none',
      }),
    })
    expect(status, body).toBe(201)
    return JSON.parse(body).client_id
  }

  /** Runs the suite, and logs in at the address that it prints. */
  async function results(args: readonly string[], port: number) {
    const { urls, ca } = lab.ready
    const env = { ...lab.env, NODE_EXTRA_CA_CERTS: ca }
    const options = ['--url', urls.authorization, '--resource', urls.mcp, '--port', String(port)]
    const running = start(newerNode, [suite, 'authorization', ...options, ...args], { env, limit: 120_000 })
    const page = await until(
      () => running.stdout().match(/^https:\S+$/m)?.[0],
      () => `the suite printed no address: ${running.stdout()} ${running.stderr()}`,
    )
    const login = await run(process.execPath, [opener, page], { env })
    expect(login.stderr).toBe('')
    const { code, stdout } = await running.ended
    return { code, lines: stdout.split('\n').filter(line => /^[✓✗]/.test(line)) }
  }

  // A client with a secret has no test: the suite authenticates it by none where the metadata lists none.
  it.each([
    ['2025-03-26', 1],
    ['2025-06-18', 1],
    ['2025-11-25', 2],
    ['2026-07-28', 2],
  ])(
    '%s: a public client',
    async (revision, ofMetadata) => {
      const port = await freePort()
      const id = await register(port)
      expect(await results(['--client-id', id, '--spec-version', revision], port)).toEqual({
        code: 0,
        lines: [
          `✓ authorization-server-metadata-endpoint: ${ofMetadata} passed, 0 failed`,
          '✓ authorization-code-grant: 1 passed, 0 failed',
        ],
      })
    },
    120_000,
  )
})
