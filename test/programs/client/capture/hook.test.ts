import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Captured } from '../../../../src/client/capture/captured.js'
import { hookFile, recordedEnvironment } from '../../../../src/client/capture/program.js'
import { openReceiver } from '../../../../src/client/capture/receiver.js'
import { cleanEnv, type Ended, run, temporaryFolder } from '../../../support/program.js'

const observations = join(import.meta.dirname, '../../../client/capture/programs/observations.cjs')
const protocols = join(import.meta.dirname, '../../../client/capture/programs/protocols.cjs')

let home = { path: '', remove: () => {} }
beforeAll(() => {
  home = temporaryFolder()
  // Folders above it may have a package of their own.
  writeFileSync(join(home.path, 'package.json'), '{"type":"commonjs"}')
})
afterAll(() => home.remove())

const textOf = (environment: Readonly<Record<string, string | undefined>>) =>
  environment as Record<string, string>

/** Runs a program with the hook, and returns what it handed over. */
async function recorded(args: readonly string[], env = cleanEnv(home.path), hook = hookFile) {
  const all: Captured[] = []
  const receiver = await openReceiver(each => all.push(each))
  let ended: Ended
  try {
    ended = await run(process.execPath, args, {
      env: textOf(recordedEnvironment(env, receiver.address, hook)),
    })
  } finally {
    await receiver.close()
  }
  return { ended, all }
}

const summary = ({ side, method, url, answer, failure }: Captured) =>
  `${side} ${method} ${url.replace(/^https?:\/\/[^/]*/, '')} ${answer?.status ?? failure}`

describe('the hook', () => {
  it('changes nothing that a program sees of its requests: streams, errors, aborts, trailers, listeners', async () => {
    const plain = await run(process.execPath, [observations], { env: cleanEnv(home.path) })
    const { ended, all } = await recorded([observations])
    expect(JSON.parse(plain.stdout)).toMatchObject({ unheard: 'ECONNREFUSED', http: { reused: true } })
    expect(ended).toEqual(plain)
    const seen = all.map(summary)
    for (const line of ['client GET /trailers 200', 'server GET /trailers 200', 'client POST /echo 200']) {
      expect(seen).toContain(line)
    }
    const answers = all.filter(each => each.url.endsWith('/gzip')).map(({ answer }) => answer?.body.text)
    expect(new Set(answers)).toEqual(new Set(['{"a":1}']))
    expect(seen.filter(line => line.endsWith('ECONNREFUSED')).length).toBe(3)
    const posted = all.filter(
      ({ side, url, body }) => side === 'client' && url.endsWith('/echo') && body.size < 99,
    )
    expect(posted.map(({ body }) => body.text)).toEqual(['abc', 'a=1&b=%C3%BC', 'stream'])
    expect(
      all.filter(({ url, answer, failure }) => url.endsWith('/big') && answer?.body.text && !failure),
    ).toEqual([])
  })

  it('changes nothing in upgrades, tunnels, 100-continue, hints, pipes, aborts, HTTP/2, clusters and contexts', async () => {
    const plain = await run(process.execPath, [protocols], { env: cleanEnv(home.path) })
    expect(JSON.parse(plain.stdout)).toMatchObject({
      upgrade: [101, 'hello'],
      tunnel: [200, 'hello'],
      continued: ['body', ['socket', 'continue', 'finish', 'response']],
      piped: [3_000_000, true],
      hinted: [103],
      aborted: 'AbortError',
      http2: 'h2 /a',
      worker: [{ access_token: 't' }, 3],
      context: [{ access_token: 't' }, 'kept'],
    })
    const { ended, all } = await recorded([protocols])
    expect(ended).toEqual(plain)
    const tokens = all.filter(({ side, url }) => side === 'client' && url.endsWith('/token'))
    expect(tokens.map(({ body, answer }) => [body.text, answer?.body.text])).toEqual(
      Array.from({ length: 2 }, () => ['grant_type=x', '{"access_token":"t"}']),
    )
  })

  it('changes nothing where no recorder listens', async () => {
    const env = textOf(recordedEnvironment(cleanEnv(home.path), join(home.path, 'nobody')))
    const plain = await run(process.execPath, [observations], { env: cleanEnv(home.path) })
    expect(await run(process.execPath, [observations], { env })).toEqual(plain)
  })

  it('does nothing without the variable', async () => {
    const program =
      'console.log(process._getActiveHandles().length, Object.hasOwn(require("node:http").ClientRequest.prototype, "write"))'
    const result = spawnSync(process.execPath, ['--require', hookFile, '-e', program], { encoding: 'utf8' })
    expect(result.stdout).toBe(spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' }).stdout)
  })

  it('hands over what a program received right before it exits', async () => {
    const program = `require('node:http').createServer((q, r) => r.end('{"n":1}')).listen(0, async function () {
      await (await fetch('http://127.0.0.1:' + this.address().port + '/last')).json()
      process.exit(7)
    })`
    const { ended, all } = await recorded(['-e', program])
    expect(ended.code).toBe(7)
    expect(all.map(summary)).toContain('client GET /last 200')
  })

  it('reports a request whose answer never came', async () => {
    const program = `require('node:http').createServer(() => setTimeout(() => process.exit(0), 50)).listen(0, function () {
      require('node:http').get({ port: this.address().port, path: '/open' })
    })`
    const { all } = await recorded(['-e', program])
    expect(all.map(summary).sort()).toEqual([
      'client GET /open the program ended first',
      'server GET /open the program ended first',
    ])
  })

  it('is in child processes and worker threads, keeps NODE_OPTIONS, and may lie in a folder with spaces', async () => {
    const folder = join(home.path, 'with "quotes" and spaces')
    mkdirSync(folder, { recursive: true })
    const hook = join(folder, 'hook.cjs')
    copyFileSync(hookFile, hook)
    const ask = (name: string) => `fetch('http://127.0.0.1:65533/${name}').catch(() => {})`
    const program = `
      import { fork } from 'node:child_process'
      import { Worker } from 'node:worker_threads'
      if (process.argv[2] === 'child') await ${ask('child')}
      else {
        new Worker(${JSON.stringify(ask('worker'))}, { eval: true })
        const child = fork(process.argv[1], ['child'])
        child.on('exit', () => console.log(process.title))
      }`
    const file = join(home.path, 'program.mjs')
    writeFileSync(file, program)
    const env = cleanEnv(home.path, { NODE_OPTIONS: '--title=kept' })
    const { ended, all } = await recorded([file], env, hook)
    expect(ended).toMatchObject({ code: 0, stdout: 'kept\n', stderr: '' })
    expect(all.map(summary).sort()).toEqual([
      'client GET /child ECONNREFUSED',
      'client GET /worker ECONNREFUSED',
    ])
  })

  it('leaves the loaders of a program alone, which take files of any kind', async () => {
    const loader = join(home.path, 'loader.cjs')
    const program = join(home.path, 'program.odd')
    writeFileSync(
      loader,
      `require.extensions['.odd'] = (m, file) => m._compile('console.log(require.main === module)', file)`,
    )
    writeFileSync(program, '')
    const { ended } = await recorded(['--require', loader, program])
    expect(ended).toMatchObject({ code: 0, stdout: 'true\n', stderr: '' })
  })
})
