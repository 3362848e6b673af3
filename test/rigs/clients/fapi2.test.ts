import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'
import { root } from '../../support/source-files.js'

const example = join(root, 'examples/fapi2')
let lab: Serving
beforeAll(async () => {
  lab = await serve(['--config', join(example, 'oauth-lab.yaml')])
})
afterAll(() => lab.remove())

/** Runs a program of this folder against the lab of examples/fapi2. */
async function runs(program: string): Promise<unknown> {
  const file = join(import.meta.dirname, program)
  const { code, stdout, stderr } = await run(
    process.execPath,
    [file, lab.ready.urls.authorization, join(example, 'bank-key.json')],
    { env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca, NODE_NO_WARNINGS: '1' } },
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

describeWith([rigs], 'clients of others under the FAPI 2.0 Security Profile', () => {
  it('openid-client 6: pushed requests, DPoP, private_key_jwt', { timeout: 60_000 }, async () => {
    expect(await runs('openid-client-fapi2.js')).toEqual({
      sub: 'alice',
      types: ['dpop', 'dpop', 'dpop'],
      same: true,
      sent: ['client_id', 'request_uri'],
      withoutProof: 'invalid_dpop_proof',
      withoutPkce: 'invalid_request',
    })
    const rules = (await lab.events()).flatMap(({ rule }) => (typeof rule === 'string' ? [rule] : []))
    for (const clause of ['5.3.2.1-4', '5.3.2.2-5']) {
      expect(rules).toContain(`FAPI 2.0 Security Profile §${clause}`)
    }
  })

  it('oauth4webapi: pushed requests, DPoP, private_key_jwt', { timeout: 60_000 }, async () => {
    expect(await runs('oauth4webapi-fapi2.js')).toEqual({
      sub: 'alice',
      type: 'dpop',
      userinfo: { sub: 'alice' },
      expires: 90,
    })
  })
})
