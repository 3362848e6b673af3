import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { longRunning, programInHome } from '../../commands/support.js'
import { ask } from '../../support/https.js'
import { launcher, type Running, start, startProgram, until } from '../../support/program.js'

const { env, home, oauthLab, written } = programInHome()

const { started } = longRunning()

interface Ready {
  readonly ca: string
  readonly pid: number
  readonly urls: { readonly authorization: string; readonly http: string }
}

async function serve(...args: string[]): Promise<{ program: Running; ready: Ready; ca: string }> {
  const options = ['serve', '--port', '0', '--http-port', '0', '--json', ...args]
  const program = startProgram(options, { env: env() })
  const [line = ''] = (await started(program)).split('\n')
  const ready = JSON.parse(line) as Ready
  return { program, ready, ca: readFileSync(ready.ca, 'utf8') }
}

const records = () => readdirSync(join(home(), 'lab')).filter(name => /^lab-\d+\.json$/.test(name))

describe('oauth-lab serve', () => {
  it('prints its addresses in the first line, and then its events', async () => {
    const { program, ready, ca } = await serve()
    expect(ready).toEqual({
      type: 'lab.ready',
      pid: program.child.pid,
      ca: join(home(), 'lab', 'ca.pem'),
      urls: {
        authorization: expect.stringMatching(/^https:\/\/localhost:\d+$/),
        http: expect.stringMatching(/^http:\/\/localhost:\d+$/),
        resource: expect.stringMatching(/^https:\/\/localhost:\d+$/),
        mcp: expect.stringMatching(/^https:\/\/localhost:\d+\/mcp$/),
        cluster: expect.stringMatching(/^https:\/\/localhost:\d+$/),
        dns: expect.stringMatching(/^https:\/\/localhost:\d+\/client\/v4$/),
      },
    })
    expect(await ask(`${ready.urls.authorization}/`, { ca })).toMatchObject({ status: 200 })
    const moved = await ask(`${ready.urls.http}/token?a=%2F`, { method: 'POST', body: 'x' })
    expect([moved.status, moved.headers.location]).toEqual([302, `${ready.urls.authorization}/token?a=%2F`])
    const events = await until(
      () => (program.stdout().trimEnd().split('\n').length >= 3 ? program.stdout() : undefined),
      () => program.stdout(),
    )
    const [, first, second] = events.split('\n').map(line => (line === '' ? {} : JSON.parse(line)))
    expect(first).toMatchObject({ type: 'request.answered', site: 'authorization', path: '/', status: 200 })
    expect(Object.keys(first).slice(0, 2)).toEqual(['type', 'at'])
    expect(second).toMatchObject({ type: 'request.answered', site: 'http', status: 302 })
  })

  it('names its issuer as configured, whatever Host says', async () => {
    const { ready, ca } = await serve()
    const { body } = await ask(`${ready.urls.authorization}/.well-known/openid-configuration`, {
      ca,
      headers: { host: 'localhost:1', 'x-forwarded-host': 'evil.example' },
    })
    expect(JSON.parse(body)).toMatchObject({ issuer: ready.urls.authorization })
    expect(body).not.toContain('evil')
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at %s with %s, its record removed', async (signal, code) => {
    const { program } = await serve()
    expect(records()).toEqual([`lab-${program.child.pid}.json`])
    program.child.kill(signal)
    expect(await program.ended).toMatchObject({ code, stderr: '' })
    expect(records()).toEqual([])
  })

  it('answers JSON at the token endpoint also to a flood of headers', async () => {
    const { ready, ca } = await serve()
    const headers = Object.fromEntries(Array.from({ length: 110 }, (_, i) => [`x-${i}`, 'y']))
    const answer = await ask(`${ready.urls.authorization}/token`, { ca, method: 'POST', headers })
    expect([answer.status, answer.headers['cache-control']]).toEqual([431, 'no-store'])
    expect(JSON.parse(answer.body)).toMatchObject({ error: 'invalid_request' })
  })

  it('runs beside another one and leaves its record alone', async () => {
    const [first, second] = [await serve(), await serve()]
    expect(records()).toHaveLength(2)
    second.program.child.kill()
    await second.program.ended
    expect(records()).toEqual([`lab-${first.program.child.pid}.json`])
  })

  it('uses the address of --host in its URLs', async () => {
    const { ready, ca } = await serve('--host', '127.0.0.1')
    expect(ready.urls.authorization).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect((await ask(`${ready.urls.authorization}/`, { ca })).status).toBe(200)
  })

  it('warns before it opens to the network', async () => {
    const { program, ready } = await serve('--host', '0.0.0.0')
    expect(program.stderr()).toContain('warning: with --host 0.0.0.0 everyone who reaches this machine')
    expect(ready.urls.authorization).toMatch(/^https:\/\/localhost:/)
  })

  it('takes further names', async () => {
    const { ready, ca } = await serve('--san', 'lab.example,192.0.2.7', '--san', 'other.example')
    expect((await ask(`${ready.urls.authorization}/`, { ca })).status).toBe(200)
    const { leaf } = JSON.parse((await oauthLab('ca', 'show', '--json')).stdout)
    expect(leaf.names).toEqual(['localhost', '127.0.0.1', '::1', 'lab.example', '192.0.2.7', 'other.example'])
  })

  it('is trusted with its self-signed certificate', async () => {
    const { ready, ca } = await serve('--self-signed')
    expect(ready.ca).toBe(join(home(), 'lab', 'self-signed.pem'))
    expect((await ask(`${ready.urls.authorization}/`, { ca })).status).toBe(200)
  })

  it('uses the lab file', async () => {
    const file = written('mine.yaml', 'scopes: { "notes:read": Read notes }\ndns: { zones: [] }\n')
    const { ready, ca } = await serve('--config', file)
    const { body } = await ask(`${ready.urls.authorization}/.well-known/openid-configuration`, { ca })
    expect(JSON.parse(body).scopes_supported).toContain('notes:read')
  })

  it.each([['--port'], ['--http-port'], ['--resource-port']])(
    'names the program on a busy %s, exit 3',
    async option => {
      const owner = createServer().listen(0, '127.0.0.1')
      await new Promise(resolve => owner.once('listening', resolve))
      const { port } = owner.address() as { port: number }
      const others = ['--port', '--http-port', '--resource-port'].filter(each => each !== option)
      const free = others.flatMap(each => [each, '0'])
      const { code, stderr } = await oauthLab('serve', option, String(port), ...free)
      owner.close()
      expect(code).toBe(3)
      expect(stderr).toMatch(new RegExp(`^oauth-lab: port ${port} of 127.0.0.1 is in use`))
      if (process.platform === 'linux') expect(stderr).toContain(`process ${process.pid}`)
      expect(stderr).toContain(`oauth-lab serve ${option} 0`)
    },
  )

  it('names the lab that has the port', async () => {
    const { program, ready } = await serve()
    const { port } = new URL(ready.urls.authorization)
    const { stderr } = await oauthLab('serve', '--port', port)
    expect(stderr).toContain(`in use by oauth-lab serve, process ${program.child.pid}`)
  })

  it('ends quietly at the first event after head has read enough', async () => {
    const line = `'${process.execPath}' '${launcher}' serve --json --port 0 --http-port 0 | head -n 1`
    const program = start('sh', ['-c', line], { env: env() })
    const ready = JSON.parse(await started(program)) as Ready
    const ca = readFileSync(ready.ca, 'utf8')
    await ask(`${ready.urls.authorization}/`, { ca }).catch(() => {})
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' })
    expect(records()).toEqual([])
  })

  it('goes on without events while its reader reads', async () => {
    const line = `'${process.execPath}' '${launcher}' serve --json --port 0 --http-port 0 | cat`
    const program = start('sh', ['-c', `${line}; exec true`], { env: env() })
    const ready = JSON.parse(await started(program)) as Ready
    await new Promise(resolve => setTimeout(resolve, 600))
    const ca = readFileSync(ready.ca, 'utf8')
    expect(await ask(`${ready.urls.authorization}/`, { ca })).toMatchObject({ status: 200 })
    process.kill(ready.pid, 'SIGTERM')
    expect(await program.ended).toMatchObject({ code: 0, stderr: '' })
  })
})
