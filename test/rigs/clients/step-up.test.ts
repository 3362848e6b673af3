import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { run, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'

const MFA = 'urn:oauth-lab:acr:mfa'
const folder = temporaryFolder()
const file = join(folder.path, 'lab.json')
let lab: Serving
beforeAll(async () => {
  const client = (id: string, more = {}) => ({
    client_id: id,
    client_secret: `${id}-secret-0123456789abcdef0123456789`,
    redirect_uris: ['http://127.0.0.1/callback'],
    require_pkce: false,
    ...more,
  })
  writeFileSync(
    file,
    JSON.stringify({ clients: [client('demo'), client('pair', { subject_type: 'pairwise' })] }),
  )
  lab = await serve(['--config', file])
})
afterAll(async () => {
  await lab?.remove()
  folder.remove()
})

describeWith([rigs], 'client libraries ask for logins', () => {
  it('openid-client 6 and oauth4webapi: max_age, a step up (RFC 9470), a pairwise sub', async () => {
    const otp = await runProgram(['user', 'otp', 'alice', '--config', file], { env: lab.env })
    const { authorization, resource } = lab.ready.urls
    const program = join(import.meta.dirname, 'step-up.js')
    const { code, stdout, stderr } = await run(
      process.execPath,
      [program, authorization, resource, otp.stdout.trim()],
      { env: { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca } },
    )
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      acr: 'urn:oauth-lab:acr:pwd',
      challenge: {
        scheme: 'bearer',
        error: 'insufficient_user_authentication',
        acr_values: MFA,
        max_age: '300',
      },
      stronger: { acr: MFA, amr: ['pwd', 'otp', 'mfa'], status: 200 },
      introspected: { acr: MFA, auth_time: 'number' },
      pair: { opaque: true, email: 'alice@example.com' },
      subjects: ['public', 'pairwise'],
      tooOld: 'too much time has elapsed since the last End-User authentication',
    })
  })
})
