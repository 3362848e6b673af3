import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../../support/https.js'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { jsonLines, type Running, run, startProgram, temporaryFolder, until } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { type Serving, serve } from '../../support/serve.js'

const folder = temporaryFolder()
let lab: Serving
let ca = ''
beforeAll(async () => {
  const file = join(folder.path, 'lab.json')
  writeFileSync(file, JSON.stringify({ resources: 'any' }))
  lab = await serve(['--config', file])
  ca = readFileSync(lab.ready.ca, 'utf8')
})
afterAll(async () => {
  await lab.remove()
  folder.remove()
})

/** A token by the client credentials grant. */
async function tokenOf(url: string, client: string, form: Readonly<Record<string, string>>): Promise<string> {
  const { status, body } = await ask(url, {
    ca,
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(client).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
  })
  expect(status, body).toBe(200)
  return (JSON.parse(body) as { access_token: string }).access_token
}

/** The same token with another character in its claims. */
const altered = (token: string) => token.replace(/\.(.)/, (_dot, first) => `.${first === 'e' ? 'f' : 'e'}`)

describeWith(
  [rigs],
  'resource servers of others accept the tokens of the lab, told its address and an audience',
  () => {
    it.each(['jose', 'express'])('%s', async kind => {
      const issuer = lab.ready.urls.authorization
      const labToken = (form: Readonly<Record<string, string>>) =>
        tokenOf(`${issuer}/token`, 'demo:demo-secret-0123456789abcdef0123456789', form)
      const audience = 'https://api.example/'
      const good = await labToken({ resource: audience })
      const foreign = await labToken({ resource: 'https://other.example/' })
      const args = [
        join(import.meta.dirname, 'resource-servers.js'),
        kind,
        issuer,
        audience,
        good,
        foreign,
        altered(good),
      ]
      const env = { ...lab.env, NODE_EXTRA_CA_CERTS: lab.ready.ca }
      const { code, stdout, stderr } = await run(process.execPath, args, { env })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const [accepted, ...refused] = jsonLines(stdout)
      expect(accepted).toEqual({ status: 200, sub: 'demo', scope: 'records:read' })
      expect(refused.map(each => each.status)).toEqual([401, 401])
    })
  },
)

describeWith([rigs], 'the resource server in front of oidc-provider', () => {
  const audience = 'https://api.example/rs256'
  let provider: OtherIssuer
  let issuer = ''
  let resource: Running
  let url = ''
  beforeAll(async () => {
    const leaf = join(dirname(lab.ready.ca), 'leaf.pem')
    provider = await startIssuer('oidc-provider.js', [leaf], lab.env)
    issuer = provider.issuer
    const audiences = ['--audience', audience, '--audience', 'https://api.example/es256']
    const args = ['resource', '--json', '--port', '0', '--issuer', issuer, ...audiences]
    resource = startProgram(args, { env: lab.env, limit: 120_000 })
    const ready = await until(
      () =>
        jsonLines(resource.stdout().split('\n', 1)[0] ?? '')[0] as { urls: { resource: string } } | undefined,
      () => resource.stderr(),
    )
    url = ready.urls.resource
  })
  afterAll(async () => {
    await provider.stop()
    resource.child.kill()
    await resource.ended
  })

  const issued = (form: Readonly<Record<string, string>>) =>
    tokenOf(`${issuer}/token`, 'app:app-secret-0123456789abcdef0123456789', form)
  const present = async (token: string, path = '/resource') => {
    const { status, body } = await ask(`${url}${path}`, { ca, headers: { authorization: `Bearer ${token}` } })
    return [status, JSON.parse(body)]
  }

  it.each(['rs256', 'es256'])('accepts its JWT access tokens, %s', async alg => {
    const named = `https://api.example/${alg}`
    expect(await present(await issued({ resource: named, scope: 'records:read' }))).toMatchObject([
      200,
      { iss: issuer, aud: named, client_id: 'app', scope: 'records:read' },
    ])
  })

  it('asks for the scope of a path', async () => {
    const token = await issued({ resource: audience, scope: 'records:write' })
    expect(await present(token, '/records')).toMatchObject([403, { error: 'insufficient_scope' }])
  })

  it('refuses its tokens for others, altered ones and those of the lab', async () => {
    const token = await issued({ resource: audience })
    const foreign = await issued({ resource: 'https://other.example/' })
    const demo = 'demo:demo-secret-0123456789abcdef0123456789'
    const ofLab = await tokenOf(`${lab.ready.urls.authorization}/token`, demo, { resource: audience })
    for (const each of [foreign, altered(token), ofLab]) {
      expect(await present(each)).toMatchObject([401, { error: 'invalid_token' }])
    }
    expect(await present(token)).toMatchObject([200, {}])
  })
})
