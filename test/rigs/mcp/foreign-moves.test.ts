import { afterAll, beforeAll, expect, it } from 'vitest'
import { cleanEnv, jsonLines, launcher, run, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type ExampleServer, exampleServer } from './example-server.js'

/** The answer of the example server of the TypeScript SDK to each move, and the exit code. */
const answers: Readonly<Record<string, readonly [found: string | undefined, code: number]>> = {
  'token-in-query': ['401 invalid_token', 0],
  'no-token': ['401 invalid_token', 0],
  // The server answers 500 to tokens and codes that it does not know.
  'altered-token': ['500 server_error', 0],
  'reuse-code': ['500 server_error', 0],
  // Its authorization server insists on a resource that it knows.
  'no-resource': ['500 server_error', 0],
  'other-audience': [undefined, 1],
  'alg-none': [undefined, 2],
  'foreign-resource-metadata': ['resource_mismatch, by the client', 0],
  'foreign-issuer-metadata': ['issuer_mismatch, by the client', 0],
  'metadata-without-pkce': ['no_pkce, by the client', 0],
  'redirected-message': ['invalid_response, by the client', 0],
  'wrong-iss': ['issuer_mismatch, by the client', 0],
  'drop-iss': [undefined, 2],
  'script-redirect-registration': ['400 invalid_client_metadata', 0],
  'data-redirect-registration': ['400 invalid_client_metadata', 0],
  'unregistered-redirect-uri': ['an error page (400 invalid_request)', 0],
  'wrong-verifier': ['400 invalid_grant', 0],
  'html-document': [undefined, 2],
  // Faults of this server.
  'fragment-redirect-registration': ['the answer 201', 1],
  'http-redirect-registration': ['the answer 201', 1],
  'both-key-sources': ['the answer 201', 1],
}

describeWith([rigs], 'wrong moves at the example server of the TypeScript SDK', () => {
  const home = temporaryFolder()
  let server: ExampleServer
  beforeAll(async () => {
    server = await exampleServer(home.path)
  })
  afterAll(() => {
    server?.stop()
    home.remove()
  })

  it.each(Object.entries(answers))('%s', async (name, [found, code]) => {
    const args = [launcher, 'flow', 'mcp', server.url, '--json', '--tamper', name]
    const ended = await run(process.execPath, args, { env: cleanEnv(home.path) })
    const outcome = jsonLines(ended.stdout).at(-1) as { tamper?: { found?: string } } | undefined
    expect([outcome?.tamper?.found, ended.code], ended.stderr).toEqual([found, code])
  })
})
