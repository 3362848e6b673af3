import { createServer } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  type HttpRequest,
  type HttpResponse,
  header,
  jsonResponse,
  text,
} from '../../../src/protocol/http/message.js'
import type { Site } from '../../../src/protocol/http/site.js'
import type { NewFact } from '../../../src/protocol/room/facts.js'
import { readJoinCode, writeJoinCode } from '../../../src/protocol/room/join-code.js'
import type { RoomMessage } from '../../../src/protocol/room/messages.js'
import { followRoom } from '../../../src/session/room/follow.js'
import { joinRoom, leaveRoom } from '../../../src/session/room/join.js'
import { allFacts, changeOutbox, sendWaiting, withFacts } from '../../../src/session/room/outbox.js'
import { type RoomProfile, readRoom, writeRoom } from '../../../src/session/room/profile.js'
import { followLab, roomLab } from '../../../src/session/room/room-lab.js'
import { lesson } from '../../servers/room/example.js'
import { temporaryFolder, until } from '../../support/program.js'
import { startTeacher, type TestTeacher, teacherCertificate } from '../../support/teacher.js'

const lessons = [lesson('04-state', ['without', 'with'])]
const certificate = await teacherCertificate()
let teacher: TestTeacher
let home: ReturnType<typeof temporaryFolder>
beforeAll(async () => {
  teacher = await startTeacher({ tls: certificate, lessons })
})
afterAll(() => teacher.stop())
const homes: (typeof home)[] = []
afterEach(() => {
  for (const each of homes.splice(0)) each.remove()
})

/** A home of a participant, who is in the room. */
async function participant(name = 'Dora', at: TestTeacher = teacher) {
  home = temporaryFolder()
  homes.push(home)
  const { profile } = await joinRoom(home.path, undefined, { ...at, name })
  await writeRoom(home.path, undefined, profile)
  return { home: home.path, profile }
}
const fact = (change: Partial<NewFact> = {}): NewFact => ({
  at: new Date().toISOString(),
  fact: 'task.shown',
  lesson: '04-state',
  task: 'without',
  ...change,
})
const soon = () => AbortSignal.timeout(5000)
const put = (home: string, ...facts: NewFact[]) =>
  changeOutbox(home, undefined, outbox => withFacts(outbox, facts))
const send = (home: string, profile: RoomProfile) => sendWaiting(home, undefined, profile, soon())
const rowOf = ({ who }: RoomProfile, at = teacher) => at.room.board().people.find(each => each.who === who)!

describe('the way into a room', () => {
  it('gives a row, and the same one again under another name', async () => {
    const { home, profile } = await participant('Dora')
    const { profile: again, again: same } = await joinRoom(home, undefined, {
      ...teacher,
      name: 'Dora and Tom',
    })
    expect([same, again.who, again.token]).toEqual([true, profile.who, profile.token])
    expect(rowOf(profile).name).toBe('Dora and Tom')
    expect(profile).toMatchObject({
      room: 'Monday',
      lessons: false,
      phase: { pace: { kind: 'free' }, open: [] },
    })
    expect(await readRoom(home, undefined)).toEqual(profile)
  })

  const wrongSecret = () => writeJoinCode({ ...readJoinCode(teacher.code)!, secret: Buffer.alloc(5, 7) })
  it.each([
    ['a wrong secret', () => ({ ...teacher, code: wrongSecret() }), 'does not know this code'],
    ['half a code', () => ({ ...teacher, code: 'K7QM-3D9X' }), 'code is not whole'],
    ['no address', () => ({ ...teacher, address: 'http://x/y' }), 'not the address of a workshop'],
    ['nobody there', () => ({ ...teacher, address: '127.0.0.1:9' }), 'no workshop listens at 127.0.0.1:9'],
  ])('is closed for %s', async (_, typed, problem) => {
    home = temporaryFolder()
    homes.push(home)
    await expect(joinRoom(home.path, undefined, typed())).rejects.toThrow(problem)
  })

  it('is another one than that of the room that somebody is in', async () => {
    const { home } = await participant()
    const code = writeJoinCode({ fingerprint: Buffer.alloc(10, 1), secret: Buffer.alloc(5, 1) })
    await expect(joinRoom(home, undefined, { address: teacher.address, code })).rejects.toMatchObject({
      hints: ['Leave it first:  oauth-lab leave'],
    })
  })
})

describe('a false teacher', () => {
  it('gets not one byte of a request, before and after the room was joined', async () => {
    const { keyPem: key, certPem: cert } = await teacherCertificate()
    let bytes = 0
    let connections = 0
    const server = createServer({ key, cert }, socket => {
      socket
        .on('error', () => {})
        .on('data', data => {
          bytes += data.length
        })
    })
    server.on('connection', () => connections++)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const address = `127.0.0.1:${port}`
    const { home, profile } = await participant()
    await put(home, fact())
    const other = temporaryFolder()
    homes.push(other)
    const problem = /not the teacher of this code/
    await expect(joinRoom(other.path, undefined, { address, code: teacher.code })).rejects.toThrow(problem)
    await expect(send(home, { ...profile, address })).rejects.toThrow(problem)
    // One bit of the whole fingerprint that the profile keeps, beyond the part that the code holds.
    const last = profile.fingerprint.at(-1) === '0' ? '1' : '0'
    const fingerprint = profile.fingerprint.slice(0, -1) + last
    await expect(send(home, { ...profile, fingerprint })).rejects.toThrow(problem)
    server.close()
    expect([connections, bytes]).toEqual([2, 0])
  })
})

describe('facts', () => {
  it('arrive once and in order, wait while the teacher is away, and are kept in a log', async () => {
    const away = await startTeacher({ tls: certificate, lessons })
    const { home, profile } = await participant('Tom', away)
    await put(home, fact(), fact({ fact: 'hint.taken' }))
    expect(await send(home, profile)).toEqual({ waiting: 0 })
    const key = '04-state/without'
    expect(rowOf(profile, away).tasks[key]).toMatchObject({ state: 'shown', hints: 1 })
    const state = away.room.state()
    await away.stop()
    await put(home, fact({ fact: 'hint.taken' }))
    await put(home, fact({ fact: 'task.done' }))
    await expect(send(home, profile)).rejects.toThrow('no workshop listens')
    const port = Number(away.address.split(':')[1])
    const back = await startTeacher({ tls: certificate, lessons, state, port })
    // Two programs of one person send at once.
    await Promise.all([send(home, profile), send(home, profile)])
    expect(rowOf(profile, back).tasks[key]).toMatchObject({ state: 'done', hints: 1 })
    const { sent, waiting } = await allFacts(home, undefined)
    expect([sent.map(({ n, fact }) => `${n - sent[0]!.n} ${fact}`), waiting]).toEqual([
      ['0 task.shown', '1 hint.taken', '2 hint.taken', '3 task.done'],
      [],
    ])
    await back.stop()
  })

  it('that the teacher’s version does not know keep no other one back', async () => {
    const knowsNoIdle = (site: Site): Site => ({
      ...site,
      async handle(request, context) {
        const facts: NewFact[] = request.url.endsWith('/facts') ? JSON.parse(text(request.body)).facts : []
        const at = facts.findIndex(each => each.fact === 'idle')
        return at < 0
          ? site.handle(request, context)
          : jsonResponse(400, { error: 'invalid_facts', fact: at })
      },
    })
    const old = await startTeacher({ tls: certificate, lessons, around: knowsNoIdle })
    const { home, profile } = await participant('Ben', old)
    await put(home, fact(), fact({ fact: 'idle' }), fact({ fact: 'hint.taken' }))
    expect(await send(home, profile)).toEqual({ waiting: 0 })
    expect(rowOf(profile, old).tasks['04-state/without']?.hints).toBe(1)
    await old.stop()
  })

  it('of somebody who left are not taken any more', async () => {
    const { home, profile } = await participant()
    await put(home, fact())
    expect(await leaveRoom(home, undefined, profile)).toBe(true)
    expect(rowOf(profile).leftAt).toBeDefined()
    expect(await readRoom(home, undefined)).toBeUndefined()
    await put(home, fact())
    expect(await send(home, profile)).toEqual({ waiting: 1, gone: true })
  })

  it('end on this computer also where the teacher is away', async () => {
    const { home, profile } = await participant()
    expect(await leaveRoom(home, undefined, { ...profile, address: '127.0.0.1:9' })).toBe(false)
    expect(await readRoom(home, undefined)).toBeUndefined()
  })
})

describe('the messages of the teacher', () => {
  it('come each once, also after the connection was lost and the program started again', async () => {
    const first = await startTeacher({ tls: certificate, lessons })
    const { home, profile } = await participant('Ann', first)
    const heard: RoomMessage[] = []
    const online: boolean[] = []
    const listener = {
      message: (each: RoomMessage) => void heard.push(each),
      online: (on: boolean) => void online.push(on),
    }
    const says = () => heard.flatMap(each => (each.type === 'say' ? each.text : []))
    const ends = new AbortController()
    const following = followRoom(home, undefined, profile, listener, ends.signal)
    await until(
      () => heard[0],
      () => 'no phase',
    )
    expect(heard[0]).toMatchObject({ type: 'phase', open: [] })
    first.room.lead({ do: 'say', text: 'Good morning' })
    await until(
      () => says()[0],
      () => 'no sentence',
    )
    const state = first.room.state()
    first.room.leave(profile.who)
    await first.stop()
    const port = Number(first.address.split(':')[1])
    const second = await startTeacher({ tls: certificate, lessons, state, port })
    second.room.lead({ do: 'say', text: 'Welcome back', who: profile.who })
    second.room.lead({ do: 'phase', lesson: '04-state', pace: { kind: 'together', share: 0.8 } })
    await until(
      () => says()[1],
      () => `heard ${JSON.stringify([heard, online])}`,
    )
    ends.abort()
    expect(await following).toBe(false)
    expect(online.slice(0, 3)).toEqual([true, false, true])
    expect(await readRoom(home, undefined)).toMatchObject({ phase: { lesson: '04-state' } })
    second.room.lead({ do: 'hint' })
    const later: RoomMessage[] = []
    const again = new AbortController()
    const hears = { message: (each: RoomMessage) => void later.push(each), online: () => {} }
    const next = followRoom(home, undefined, profile, hears, again.signal)
    await until(
      () => later.find(({ type }) => type === 'hint'),
      () => 'no hint',
    )
    expect([says(), later.map(({ type }) => type)]).toEqual([
      ['Good morning', 'Welcome back'],
      ['phase', 'hint'],
    ])
    second.room.leave(profile.who)
    expect(await next).toBe(true)
    await second.stop()
  })
})

describe('the lab of a room', () => {
  const secret = 'abcdefghijklmnopqrstuvwxyz012345'
  const document = {
    urls: {
      authorization: 'https://127.0.0.1:18443',
      http: 'http://127.0.0.1:18080',
      resource: 'https://127.0.0.1:18444',
      cluster: 'https://127.0.0.1:18445',
      dns: 'https://127.0.0.1:18446/client/v4',
    },
    ca: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    client: { client_id: 'k7-01-app', client_secret: secret },
    user: { username: 'k7-01', password: secret },
    cluster: { namespace: 'k7-01', token: secret },
    dns: { token: secret },
  }
  /** A teacher who answers a path in another way. */
  const answering = (path: string, answer: (request: HttpRequest) => HttpResponse) =>
    startTeacher({
      tls: certificate,
      lessons,
      around: site => ({
        ...site,
        handle: async (request, context) =>
          new URL(request.url).pathname === path ? answer(request) : site.handle(request, context),
      }),
    })

  it('is meant by the word room and by its address, and is that of the participant alone', async () => {
    const other = await answering('/room/lab', () => jsonResponse(200, document))
    const { home } = await participant('Ann', other)
    for (const server of ['room', 'https://127.0.0.1:18443']) {
      const { config } = (await roomLab(home, server, '--server', {}))!
      expect(config.clients.map(each => each.client_id)).toEqual(['k7-01-app'])
      expect(config).toMatchObject({ ownClient: 'k7-01-app', effective: { dns: { token: secret } } })
      expect(config.effective.dns).not.toHaveProperty('key')
    }
    // Other labs at the address of the teacher, and at other computers.
    expect(await roomLab(home, 'https://127.0.0.1:8443', '--server', {})).toBeUndefined()
    expect(await roomLab(home, 'https://192.0.2.9:18443', '--server', {})).toBeUndefined()
    await other.stop()
    await expect(roomLab(home, 'room', '--server', {})).rejects.toMatchObject({
      message: expect.stringContaining('the lab of the room Monday: no workshop listens'),
      hints: expect.arrayContaining([expect.stringContaining('a lab of your own')]),
    })
  })

  it('is none outside of a room, in a room without one, and where the answer is no document', async () => {
    const { home } = await participant()
    await expect(roomLab(home, 'room', '--server', {})).rejects.toThrow('the room Monday has no lab')
    const nowhere = temporaryFolder()
    homes.push(nowhere)
    await expect(roomLab(nowhere.path, 'room', 'OAUTH_LAB_SERVER', {})).rejects.toThrow('you are in none')
    expect(await roomLab(nowhere.path, 'https://127.0.0.1:18443', '--server', {})).toBeUndefined()
    const hostile = { ...document, urls: { ...document.urls, dns: 'https://evil.example/x' } }
    const other = await answering('/room/lab', () => jsonResponse(200, hostile))
    const { home: ann } = await participant('Ann', other)
    await expect(roomLab(ann, 'room', '--server', {})).rejects.toThrow('something that is no lab')
    await other.stop()
  })

  it('streams events past anything else, and goes on after the last one when the connection was lost', async () => {
    const asked: (string | undefined)[] = []
    const lines = [
      ':\n\n',
      'id: 1\ndata: {"type":"code.issued","at":"2030-01-01T09:00:00.000Z","n":1}\n\n',
      'data: {"type":"code.issued"}\n\n',
      'data: [1]\n\ndata: no json\n\nid: x\nevent: y\n\n',
      'id: 2\ndata: {"type":"code.redeemed","at":"2030-01-01T09:00:00.000Z","n":2}\n\n',
    ]
    const other = await answering('/room/lab/events', request => {
      asked.push(header(request, 'last-event-id'))
      return {
        status: 200,
        headers: [['content-type', 'text/event-stream']],
        body: new Uint8Array(),
        stream: (async function* () {
          for (const line of lines) yield Buffer.from(line)
        })(),
      }
    })
    const { profile } = await participant('Ann', other)
    const seen: unknown[] = []
    const ended = new AbortController()
    const following = followLab(profile, ({ n }) => void seen.push(n), ended.signal)
    await until(
      () => asked.length > 1 || undefined,
      () => `asked ${asked.length} times`,
      20_000,
    )
    ended.abort()
    await following
    expect(seen.slice(0, 2)).toEqual([1, 2])
    expect(asked.slice(0, 2)).toEqual([undefined, '2'])
    await other.stop()
  })
})
