import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { longRunning, programInHome } from '../../commands/support.js'
import { ecKey } from '../../protocol/tokens/jwt-maker.js'
import { ask } from '../../support/https.js'
import { jsonLines, startProgram } from '../../support/program.js'

const { env, oauthLab, written } = programInHome()
const CALLBACK = 'http://127.0.0.1:3000/callback'
const ID = 'https://app.example/client.json'
const document = (...more: string[]) => oauthLab('client-document', '--redirect-uri', CALLBACK, ...more)

const { started } = longRunning()

describe('oauth-lab client-document', () => {
  it('prints a document, and says beside it where it belongs', async () => {
    const { code, stdout, stderr } = await document('--client-id', ID, '--name', 'My client')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      client_id: ID,
      client_name: 'My client',
      application_type: 'native',
      redirect_uris: [CALLBACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
    expect(stderr).toContain(`Publish it at ${ID}`)
  })

  it('prints it in one line for programs, with all addresses', async () => {
    const { stdout } = await document('--redirect-uri', 'https://app.example/cb', '--json')
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout)).toMatchObject({
      client_id: 'https://localhost:8450/client.json',
      // A web client has https addresses alone, so a lab would refuse both under that type.
      application_type: 'native',
      redirect_uris: [CALLBACK, 'https://app.example/cb'],
    })
    const web = await oauthLab('client-document', '--redirect-uri', 'https://app.example/cb', '--json')
    expect(JSON.parse(web.stdout)).toMatchObject({ application_type: 'web' })
  })

  it('takes a key or a set of keys', async () => {
    const { publicJwk } = ecKey('one')
    for (const content of [publicJwk, { keys: [publicJwk] }]) {
      const file = written('jwks.json', JSON.stringify(content))
      expect(JSON.parse((await document('--jwks', file)).stdout)).toMatchObject({
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [publicJwk] },
      })
    }
  })

  it.each([
    ['no JSON', 'x', /it is no JSON/],
    ['no keys', '{"keys":[]}', /no JWK/],
    ['a private key', '{"kty":"EC","crv":"P-256","x":"a","y":"b","d":"hidden"}', /private or symmetric/],
  ])('refuses a file with %s', async (_name, content, problem) => {
    const file = written('bad.json', content)
    const { code, stdout, stderr } = await document('--jwks', file)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(problem)
    expect(stderr).not.toContain('hidden')
  })

  it('serves the document at its client_id, over https', async () => {
    const args = ['client-document', '--redirect-uri', CALLBACK, '--serve', '--port', '0', '--json']
    const [ready] = jsonLines(await started(startProgram(args, { env: env(), input: '' })))
    expect(ready).toMatchObject({
      type: 'client_document.ready',
      client_id: expect.stringMatching(/^https:\/\/localhost:\d+\/client\.json$/),
    })
    const { client_id: id, ca } = ready as unknown as { client_id: string; ca: string }
    const { status, body, headers } = await ask(id, { ca: readFileSync(ca, 'utf8') })
    expect(status).toBe(200)
    expect(headers['content-type']).toContain('application/json')
    expect(JSON.parse(body)).toMatchObject({ client_id: id, redirect_uris: [CALLBACK] })
    expect((await ask(`${id}x`, { ca: readFileSync(ca, 'utf8') })).status).toBe(404)
  })
})
