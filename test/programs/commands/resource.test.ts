import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { longRunning } from '../../commands/support.js'
import { ask } from '../../support/https.js'
import { jsonLines, type Running, runProgram, startProgram, until } from '../../support/program.js'
import type { Serving } from '../../support/serve.js'
import { sharedLab, testLab } from '../../support/shared.js'

const issuer = () => lab.ready.urls.authorization
const lab = sharedLab()
let ca = ''
beforeAll(async () => {
  ca = readFileSync(lab.ready.ca, 'utf8')
})

const { started } = longRunning()

interface Ready {
  readonly type: string
  readonly pid: number
  readonly ca: string
  readonly urls: { readonly resource: string }
  readonly issuer: string
  readonly audiences: readonly string[]
}

async function resource(
  args: readonly string[],
  input = '',
  env = lab.env,
): Promise<{ program: Running; ready: Ready }> {
  const program = startProgram(['resource', '--port', '0', '--json', ...args], { env, input })
  const ready = jsonLines(await started(program))[0] as unknown as Ready
  return { program, ready }
}

async function tokenOf(server: Serving, parameters = ''): Promise<string> {
  const { body } = await ask(`${server.ready.urls.authorization}/token`, {
    ca: readFileSync(server.ready.ca, 'utf8'),
    method: 'POST',
    body: `grant_type=client_credentials${parameters}`,
    headers: {
      authorization: `Basic ${Buffer.from('demo:demo-secret-0123456789abcdef0123456789').toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
  })
  return (JSON.parse(body) as { access_token: string }).access_token
}

const present = async ({ ready }: { ready: Ready }, token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  const { status, body } = await ask(`${ready.urls.resource}/resource`, { ca, headers })
  return { status, json: JSON.parse(body) as Record<string, unknown> }
}

describe('oauth-lab resource', () => {
  it('prints its address, accepts tokens of the issuer, and prints its events', async () => {
    const started = await resource(['--issuer', issuer(), '--audience', 'api,demo'])
    expect(started.ready).toEqual({
      type: 'resource.ready',
      pid: started.program.child.pid,
      ca: lab.ready.ca,
      urls: {
        resource: expect.stringMatching(/^https:\/\/localhost:\d+$/),
        mcp: expect.stringMatching(/^https:\/\/localhost:\d+\/mcp$/),
      },
      issuer: issuer(),
      audiences: ['api', 'demo'],
    })
    expect(await present(started, await tokenOf(lab))).toMatchObject({ status: 200, json: { sub: 'demo' } })
    const events = await until(
      () => {
        const types = jsonLines(started.program.stdout()).map(each => each.type)
        return types.includes('request.answered') ? types : undefined
      },
      () => started.program.stdout(),
    )
    expect(events).toEqual(['resource.ready', 'keys.fetched', 'resource.accepted', 'request.answered'])
    expect(started.program.stderr()).toBe('')
  })

  it('gets tokens for its own address from a lab that nobody told about it', async () => {
    const started = await resource(['--issuer', issuer(), '--audience', 'api'])
    const address = started.ready.urls.resource
    const token = await tokenOf(lab, `&resource=${encodeURIComponent(`${address}/`)}`)
    expect(await present(started, token)).toMatchObject({ status: 200, json: { aud: address } })
    const fetched = (await lab.events()).find(each => each.type === 'resource_metadata.fetched')
    expect(fetched).toMatchObject({
      resource: `${address}/`,
      url: `${address}/.well-known/oauth-protected-resource`,
    })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at %s with %d', async (signal, code) => {
    const { program } = await resource(['--issuer', issuer(), '--audience', 'demo'])
    program.child.kill(signal)
    expect(await program.ended).toMatchObject({ code, stderr: '' })
  })

  it('starts when its authority does not answer, reports that, and answers tokens with 503', async () => {
    const started = await resource(['--issuer', 'https://127.0.0.1:1', '--audience', 'demo'])
    const said = await until(
      () => started.program.stderr() || undefined,
      () => 'nothing is said',
    )
    expect(said).toMatch(
      /^warning: .*127\.0\.0\.1:1\/.*cannot reach https:\/\/127\.0\.0\.1:1 \(ECONNREFUSED\)/,
    )
    expect((await present(started, await tokenOf(lab))).status).toBe(503)
    started.program.child.kill('SIGTERM')
    expect((await started.program.ended).code).toBe(143)
  })

  it('verifies with a public key, and with a secret, that it is given', async () => {
    for (const [stage, exported] of [
      ['key-pair', '--pem'],
      ['shared-secret', '--secret'],
    ] as const) {
      const server = await testLab(['--stage', stage])
      const { stdout } = await runProgram(['keys', 'export', exported], { env: server.env })
      const file = join(server.env.HOME ?? '', 'key')
      writeFileSync(file, stdout)
      const given = stage === 'key-pair' ? ['--key', file] : ['--secret-stdin']
      const args = ['--issuer', server.ready.urls.authorization, '--audience', 'demo', ...given]
      const started = await resource(args, stdout)
      expect(await present(started, await tokenOf(server))).toMatchObject({ status: 200 })
      expect((await present(started, await tokenOf(lab))).status).toBe(401)
    }
  })

  it('prints lines to paste', async () => {
    const args = ['resource', '--port', '0', '--issuer', issuer(), '--audience', 'demo']
    const program = startProgram(args, { env: lab.env })
    const said = await started(program, 'Ctrl-C')
    expect(said).toMatch(/^resource server {2}https:\/\/localhost:\d+\nMCP server {7}\S+\/mcp\nissuer /)
    expect(said).toMatch(/curl --cacert \S+ https:\/\/localhost:\d+\/public\n/)
  })

  it('names the program on a busy port, exit 3', async () => {
    const owner = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => owner.once('listening', resolve))
    const { port } = owner.address() as { port: number }
    const args = ['resource', '--issuer', issuer(), '--audience', 'demo', '--port', String(port)]
    const { code, stderr } = await runProgram(args, { env: lab.env })
    owner.close()
    expect(code).toBe(3)
    expect(stderr).toContain(`port ${port} of 127.0.0.1 is in use`)
    expect(stderr).toContain('oauth-lab resource --port 0')
  })
})

describe('oauth-lab resource --mtls', () => {
  it('accepts a token that is bound to the certificate of the connection, and refuses it elsewhere', async () => {
    const folder = join(dirname(lab.ready.ca), 'pairs')
    const make = ['ca', 'client', 'phone', '-o', folder, '--self-signed', '--json']
    const made = JSON.parse((await runProgram(make, { env: lab.env })).stdout)
    const config = join(folder, 'lab.json')
    writeFileSync(config, JSON.stringify({ clients: [made.client] }))
    const bank = await testLab(['--config', config])
    const shown = ['--cert', made.certificate, '--cert-key', made.key]
    const flow = ['flow', 'client-credentials', '--client', 'phone', '--config', config, ...shown, '--json']
    const server = ['--server', bank.ready.urls.authorization]
    const ran = await runProgram([...flow, ...server], { env: bank.env })
    const token = jsonLines(ran.stdout).flatMap(({ token }) => (token as { value?: string })?.value ?? [])[0]
    const audience = ['--issuer', bank.ready.urls.authorization, '--audience', 'phone']
    const started = await resource([...audience, '--mtls'], '', bank.env)
    const headers = { authorization: `Bearer ${token}` }
    const url = `${started.ready.urls.resource}/resource`
    const bankCa = readFileSync(bank.ready.ca, 'utf8')
    const [cert, key] = [readFileSync(made.certificate, 'utf8'), readFileSync(made.key, 'utf8')]
    const accepted = await ask(url, { ca: bankCa, headers, cert, key })
    expect([accepted.status, JSON.parse(accepted.body).sub]).toEqual([200, 'phone'])
    const refused = await ask(url, { ca: bankCa, headers })
    expect([refused.status, JSON.parse(refused.body).error]).toEqual([401, 'invalid_token'])
    const metadata = await ask(`${started.ready.urls.resource}/.well-known/oauth-protected-resource`, {
      ca: bankCa,
    })
    expect(JSON.parse(metadata.body).tls_client_certificate_bound_access_tokens).toBe(true)
  })
})
