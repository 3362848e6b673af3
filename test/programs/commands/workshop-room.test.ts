// The program of a teacher: opened, joined, killed, opened again, reported and forgotten.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WorkshopReady } from '../../../src/commands/output/json-lines.js'
import { ownAddresses } from '../../../src/commands/workshop/addresses.js'
import { readJoinCode } from '../../../src/protocol/room/join-code.js'
import type { Joined } from '../../../src/protocol/room/messages.js'
import { ask } from '../../support/https.js'
import {
  cleanEnv,
  jsonLines,
  runProgram,
  startProgram,
  temporaryFolder,
  until,
} from '../../support/program.js'
import { describeWith } from '../../support/requires.js'
import { read } from '../../support/source-files.js'
import { type OpenWorkshop, openWorkshop } from '../../support/workshop.js'
import { openTerminal } from '../terminal.js'

const folder = temporaryFolder()
const env = cleanEnv(folder.path)
const home = join(folder.path, 'lab')
const lessons = join(folder.path, 'lessons')
const tokens: string[] = []
let workshop: OpenWorkshop
let ready: WorkshopReady

async function open(...args: readonly string[]): Promise<WorkshopReady> {
  workshop = await openWorkshop(env, args, { address: '127.0.0.2' })
  ready = workshop.ready
  return ready
}

const run = (...args: readonly string[]) => runProgram(['workshop', ...args], { env, limit: 60_000 })

/** Sends a request to the room. The certificate is one of the lab's CA. */
function send(method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = {}) {
  const url = new URL(path, ready.board).href
  const ca = readFileSync(join(home, 'ca.pem'), 'utf8')
  return ask(url, { ca, method, headers, ...(body && { body: JSON.stringify(body) }) })
}

async function joined(name: string): Promise<Joined> {
  const secret = Buffer.from(readJoinCode(ready.code)!.secret).toString('hex')
  const joined: Joined = JSON.parse((await send('POST', '/room/join', { secret, name })).body)
  if (joined.token !== undefined) tokens.push(joined.token)
  return joined
}

const fact = (n: number, name: string, more: object = {}) => ({
  n,
  at: new Date().toISOString(),
  fact: name,
  lesson: '01-mine',
  ...more,
})

const tell = (token: string, ...facts: readonly object[]) =>
  send('POST', '/room/facts', { facts }, { authorization: `Bearer ${token}` })

beforeAll(async () => {
  mkdirSync(lessons)
  const own = read('content/lessons/04-state.yaml').replace(/^after:.*$/m, 'after: []')
  writeFileSync(join(lessons, '01-mine.yaml'), own)
  await open('--lessons', lessons, '--name', 'Monday')
})
afterAll(async () => {
  await workshop.stop('SIGKILL')
  folder.remove()
})

describe('workshop', () => {
  it('shows a code that pins its certificate, and the lessons of the teacher to those who know it', async () => {
    const { host, hostname, port } = new URL(ready.board)
    expect(ready).toEqual({
      type: 'workshop.ready',
      join: `npx oauth-lab join ${host} ${ready.code}`,
      board: expect.stringMatching(/^https:\/\/127\.0\.0\.2:\d+\/board\?key=[\w-]{22}$/),
      http: expect.stringMatching(/^http:\/\/127\.0\.0\.2:\d+\/$/),
      code: expect.stringMatching(/^(?:[0-9A-Z]{4}-){5}[0-9A-Z]{4}$/),
    })
    const der = await new Promise<Buffer>(resolve => {
      const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().raw)
        socket.destroy()
      })
    })
    const sha256 = createHash('sha256').update(der).digest()
    expect(Buffer.from(readJoinCode(ready.code)!.fingerprint)).toEqual(sha256.subarray(0, 10))
    const dora = await joined('Dora')
    expect(dora.room).toMatchObject({ name: 'Monday', files: [{ name: '01-mine.yaml' }] })
  })

  it('serves pages to everybody, the board to the teacher, and nothing secret on the plain port', async () => {
    expect((await send('GET', '/join')).body).toContain('Join Monday')
    expect((await send('GET', '/board')).status).toBe(401)
    const { headers } = await send('GET', new URL(ready.board).pathname + new URL(ready.board).search)
    const cookie = String(headers['set-cookie']).split(';', 1)[0]!
    expect((await send('GET', '/board', undefined, { cookie })).status).toBe(200)
    const plain = await ask(ready.http)
    expect(plain.body).toContain('Join Monday')
    for (const secret of [ready.code, new URL(ready.board).searchParams.get('key')!]) {
      expect(plain.body).not.toContain(secret)
    }
    expect((await ask(`${ready.http}ca.pem`)).body).toBe(readFileSync(join(home, 'ca.pem'), 'utf8'))
  })

  it('is killed, and goes on with the same code, people, facts and phase', async () => {
    const eve = await joined('Eve\u001b[31m')
    const task = { task: 'by-hand' }
    expect((await tell(eve.token, fact(1, 'task.shown', task), fact(2, 'hint.taken', task))).status).toBe(200)
    const before = ready
    await workshop.stop('SIGKILL')
    expect(jsonLines(workshop.running.stdout()).slice(1)).toMatchObject([
      { type: 'fact', who: eve.who, fact: 'task.shown', lesson: '01-mine', task: 'by-hand' },
      { type: 'fact', who: eve.who, fact: 'hint.taken' },
    ])
    const after = await open('--name', 'Tuesday')
    expect(after.code).toBe(before.code)
    const again = JSON.parse(
      (await tell(eve.token, fact(2, 'hint.taken', task), fact(3, 'task.done', task))).body,
    )
    expect(again).toEqual({ n: 3 })
    expect((await joined('Late')).room.name).toBe('Tuesday')
  })

  it('is the only one in its home', async () => {
    const second = await run('--address', '127.0.0.2', '--port', '0', '--http-port', '0')
    expect([second.code, second.stderr]).toEqual([2, expect.stringContaining('runs already')])
    expect((await run('forget', '--yes')).code).toBe(2)
  })

  it('keeps its files from others, and no token in them', () => {
    const files = readdirSync(home).filter(name => name.startsWith('workshop'))
    for (const file of files) expect(statSync(join(home, file)).mode & 0o077).toBe(0)
    const text = files.map(file => readFileSync(join(home, file), 'utf8')).join('')
    expect(tokens.filter(each => text.includes(each))).toEqual([])
    expect(files.sort()).toEqual([
      'workshop-facts.jsonl',
      'workshop-leaf.pem',
      'workshop.json',
      'workshop.lock',
    ])
  })

  it('reports while it runs, and afterwards', async () => {
    const csv = await run('report', '--format', 'csv')
    expect(csv.stdout).toMatch(/^who,name,.*\r?\n/)
    expect(csv.stdout).toMatch(/,Eve␛\[31m,.*,01-mine,by-hand,done,\d+,1,false,0,,\r?$/m)
    await workshop.stop('SIGTERM')
    const board = JSON.parse((await run('report', '--json')).stdout)
    expect(board.people.map((each: { name: string }) => each.name)).toEqual(['Dora', 'Eve\u001b[31m', 'Late'])
    expect((await run('report')).stdout).toContain('# Tuesday')
  })

  it('forgets everything, and begins with another code', async () => {
    const asked = await run('forget')
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('no terminal to ask on')])
    const { code } = ready
    expect((await run('forget', '--yes')).code).toBe(0)
    expect(existsSync(join(home, 'workshop.json'))).toBe(false)
    expect((await run('report')).code).toBe(2)
    expect((await open()).code).not.toBe(code)
  })

  it('has ended, and says what to do with the results', async () => {
    const { headers } = await send('GET', new URL(ready.board).pathname + new URL(ready.board).search)
    const cookie = String(headers['set-cookie']).split(';', 1)[0]!
    const own = { cookie, origin: new URL(ready.board).origin, 'content-type': 'application/json' }
    expect((await send('POST', '/board/lead', { do: 'end' }, own)).status).toBe(204)
    expect(await joined('Late')).toEqual({ error: 'room_ended' })
    await workshop.stop('SIGTERM')
    const again = await run('--address', '127.0.0.2')
    expect([again.code, again.stderr]).toEqual([2, expect.stringMatching(/has ended\n.*report\n.*forget/)])
  })
})

describe('workshop check', () => {
  const checked = async (...args: readonly string[]) => {
    const { code, stdout } = await run('check', '--json', ...args)
    const { checks } = JSON.parse(stdout) as { checks: { name: string; result: string }[] }
    return { code, results: Object.fromEntries(checks.map(({ name, result }) => [name, result])) }
  }

  it('finds nothing wrong, and did not ask a second computer', async () => {
    expect(await checked('--address', '127.0.0.2', '--port', '0', '--http-port', '0')).toEqual({
      code: 0,
      results: {
        node: 'ok',
        address: 'ok',
        ports: 'ok',
        tarball: 'ok',
        clock: 'ok',
        lessons: 'ok',
        network: 'not_tried',
      },
    })
  })

  it('finds a busy port, a foreign address and broken lessons', async () => {
    const busy = createServer()
    await new Promise<void>(resolve => busy.listen(0, '127.0.0.2', resolve))
    const { port } = busy.address() as { port: number }
    writeFileSync(join(lessons, '02-broken.yaml'), 'title: 7\n')
    const found = await checked('--address', '127.0.0.2', '--port', String(port), '--lessons', lessons)
    busy.close()
    expect(found).toMatchObject({ code: 1, results: { ports: 'problem', lessons: 'problem', address: 'ok' } })
    expect((await checked('--address', '192.0.2.77')).results.address).toBe('problem')
  })

  /** A request of a second computer. */
  const visit = (url: string) =>
    new Promise<{ location: string | undefined; text: string }>((resolve, reject) => {
      get(url, { localAddress: '127.0.0.78', agent: false }, response => {
        let text = ''
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk
        })
        response.on('end', () => resolve({ location: response.headers.location, text }))
      }).on('error', reject)
    })

  it.each([
    ['all', '60s', 7, 'ok', '127.0.0.78 reached this computer'],
    ['not the cluster', '3s', 5, 'problem', '127.0.0.78 came, and did not reach http://127.0.0.77:8445/'],
  ])(
    'leads a second computer through the ports of the room and of its lab: %s',
    async (_, wait, count, result, text) => {
      const ports = ['--address', '127.0.0.77', '--port', '0', '--http-port', '0', '--lab', '--wait', wait]
      const program = startProgram(['workshop', 'check', '--json', ...ports], { env, limit: 60_000 })
      let url: string | undefined = await until(
        () => /http:\S+/.exec(program.stderr())?.[0],
        () => program.stdout() + program.stderr(),
      )
      const pages: string[] = []
      for (let at = 0; at < count && url !== undefined; at++) {
        const { location, text }: Awaited<ReturnType<typeof visit>> = await visit(url)
        pages.push(text)
        url = location
      }
      const { checks } = JSON.parse((await program.ended).stdout)
      expect(checks).toContainEqual(expect.objectContaining({ name: 'lab', result: 'ok' }))
      expect(checks.at(-1)).toMatchObject({ name: 'network', result, text })
      expect(pages.at(-1)?.includes('reaches the one of the teacher')).toBe(result === 'ok')
    },
  )

  it('finds a port of the lab busy', async () => {
    const busy = createServer()
    await new Promise<void>(resolve => busy.listen(8444, '127.0.0.77', resolve))
    const found = await checked('--address', '127.0.0.77', '--port', '0', '--http-port', '0', '--lab')
    busy.close()
    expect(found).toMatchObject({ code: 1, results: { ports: 'ok', lab: 'problem' } })
  })
})

describeWith(['tmux'], 'workshop --plain on a terminal', () => {
  it('asks for the address where there are several, leads by lines, and ends by Ctrl-C', async () => {
    const terminal = openTerminal(100, 30)
    const isAsked = ownAddresses().length > 1
    const free = '--port 0 --http-port 0'
    terminal.command(`oauth-lab workshop --plain ${free}${isAsked ? '' : ' --address 127.0.0.2'}`)
    if (isAsked) {
      await terminal.shows(/^1 to \d:/m)
      terminal.command('none of them')
      terminal.command('1')
    }
    expect(await terminal.shows(/You may type/)).toMatch(/║ {3}npx oauth-lab join \S+:\d+ [\w-]{29} {3}║/)
    terminal.command('next')
    await terminal.shows(/^next\nDone\.$/m)
    terminal.keys('C-c')
    await terminal.shows(/^\^C\$$/m)
  })
})
