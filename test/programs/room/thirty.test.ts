// A room of thirty: 127.0.0.2 to 127.0.0.31 are the computers, each with a home of its own. Three of them run the program, the others its parts.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runJoin } from '../../../src/commands/join/run-join.js'
import { openEventFile } from '../../../src/lab/state/event-file.js'
import { changeProgress, withLesson, withStart, withTask } from '../../../src/learn/engine/progress.js'
import { reportToRoom } from '../../../src/learn/engine/report-to-room.js'
import type { RoomMessage } from '../../../src/protocol/room/messages.js'
import type { Board, BoardPerson } from '../../../src/servers/room/model.js'
import { followRoom } from '../../../src/session/room/follow.js'
import { leaveRoom } from '../../../src/session/room/join.js'
import { allFacts } from '../../../src/session/room/outbox.js'
import { readRoom } from '../../../src/session/room/profile.js'
import { ask } from '../../support/https.js'
import { cleanEnv, runProgram, temporaryFolder, until } from '../../support/program.js'
import { read } from '../../support/source-files.js'
import { classComputers, type OpenWorkshop, openWorkshop } from '../../support/workshop.js'

const folder = temporaryFolder()
const teacherHome = join(folder.path, 'teacher')
const trap = join(folder.path, 'trap')
const LESSON = '00-printing-service'
const TASK = `${LESSON}/password`
let workshop: OpenWorkshop

/** Opens the workshop, at the port of before. */
async function open(): Promise<void> {
  const port = workshop === undefined ? '0' : new URL(workshop.ready.board).port
  workshop = await openWorkshop(cleanEnv(teacherHome), ['--lessons', join(folder.path, 'lessons')], { port })
}

/** A computer in the class. */
interface Pupil {
  readonly name: string
  readonly address: string
  /** Its state folder. */
  readonly home: string
  readonly env: Record<string, string>
}
const pupils: readonly Pupil[] = Array.from({ length: 30 }, (_, i) => {
  const home = join(folder.path, `pupil-${i + 1}`)
  const address = `127.0.0.${i + 2}`
  return { name: `Pupil ${i + 1}`, address, home: join(home, 'lab'), env: cleanEnv(home) }
})
/** Those who run the program as it is typed. */
const [ann, ben, eve, ...others] = pupils as [Pupil, Pupil, Pupil, ...Pupil[]]

const from = classComputers()
const as = <Result>({ address }: Pupil, work: () => Promise<Result>): Promise<Result> => from(address, work)
const all = <Result>(of: readonly Pupil[], work: (each: Pupil) => Promise<Result>) =>
  Promise.all(of.map(each => as(each, () => work(each))))

const typed = (pupil: Pupil, ...args: readonly string[]) =>
  runProgram(args, { env: pupil.env, limit: 60_000 })
const globals = { json: true, timeoutMs: 5000, showSecrets: false, color: false, ascii: true } as const
const report = ({ home }: Pupil) => reportToRoom(home, undefined, { patience: 10_000 })

async function teacherCookie(): Promise<string> {
  const ca = readFileSync(join(teacherHome, 'lab/ca.pem'), 'utf8')
  const { headers } = await ask(workshop.ready.board, { ca })
  return String(headers['set-cookie']).split(';', 1)[0]!
}

/** The board, as the page of the teacher gets it. */
async function board(): Promise<Board> {
  const ca = readFileSync(join(teacherHome, 'lab/ca.pem'), 'utf8')
  const cookie = await teacherCookie()
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL('/board/events', workshop.ready.board),
      { ca, agent: false, headers: { cookie } },
      response => {
        let text = ''
        response.setEncoding('utf8').on('error', () => {})
        response.on('data', (chunk: string) => {
          text += chunk
          const end = text.indexOf('\n\n')
          if (end < 0) return
          sent.destroy()
          resolve(JSON.parse(text.slice(0, end).replace(/^data: /, '')))
        })
      },
    )
    sent.on('error', reject).end()
  })
}
const rows = async (test: (each: BoardPerson) => boolean): Promise<string[]> =>
  (await board()).people.filter(test).map(({ name }) => name)

async function lead(action: object): Promise<void> {
  const ca = readFileSync(join(teacherHome, 'lab/ca.pem'), 'utf8')
  const { origin } = new URL(workshop.ready.board)
  const headers = { cookie: await teacherCookie(), origin, 'content-type': 'application/json' }
  const { status } = await ask(`${origin}/board/lead`, {
    ca,
    method: 'POST',
    headers,
    body: JSON.stringify(action),
  })
  expect(status).toBe(204)
}

beforeAll(async () => {
  const lessons = join(folder.path, 'lessons')
  for (const each of [teacherHome, lessons, ...pupils.map(({ home }) => home)])
    mkdirSync(each, { recursive: true })
  const own = read('examples/lesson/01-ask-for-less.yaml').replace(/^( *cli: ).*$/m, `$1touch ${trap}`)
  writeFileSync(join(lessons, '01-ask-for-less.yaml'), own)
  writeFileSync(join(lessons, 'course.yaml'), `lessons: [${LESSON}, 01-ask-for-less]\n`)
  await open()
}, 120_000)
afterAll(async () => {
  vi.restoreAllMocks()
  await workshop.stop()
  folder.remove()
})

describe('a room of thirty', { timeout: 120_000 }, () => {
  it('is joined by all, who take the lessons of the teacher', async () => {
    const [address = '', code = ''] = workshop.ready.join.split(' ').slice(-2)
    vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
    await all(others, ({ home, name }) => runJoin(address, [code], { as: name }, { ...globals, home }))
    vi.mocked(process.stdout.write).mockRestore()
    for (const each of [ann, ben, eve]) {
      const { code: end, stdout, stderr } = await typed(each, 'join', address, code, '--as', each.name)
      expect([end, stderr, stdout]).toEqual([0, '', expect.stringContaining(`touch ${trap}`)])
    }
    const { people } = await board()
    expect([people.length, new Set(people.map(({ who }) => who)).size]).toEqual([30, 30])
    await lead({ do: 'phase', lesson: LESSON, pace: { kind: 'free' } })
  })

  it('does lesson 1, and is seen', async () => {
    const mark = { generation: 1, offset: 0 }
    await all(others, async pupil => {
      const current = { lesson: LESSON, mark, client: 'course', user: 'alice' }
      const at = new Date().toISOString()
      const { seed } = (await readRoom(pupil.home, undefined))!
      await changeProgress(pupil.home, undefined, old => withStart(old, current, { title: '', at, seed }))
      await report(pupil)
      const prediction = 'abc'[pupils.indexOf(pupil) % 3]!
      await changeProgress(pupil.home, undefined, old =>
        withLesson(old, LESSON, each => ({ ...each, prediction })),
      )
      await report(pupil)
    })
    expect((await typed(ann, 'learn')).stdout).toContain('Lesson 0')
    await typed(ann, 'learn', 'answer', 'b')
    const seen = await board()
    expect(seen.people.filter(({ lesson, task }) => lesson === LESSON && task === 'password')).toHaveLength(
      28,
    )
    const votes = Object.values(seen.polls.find(({ lesson }) => lesson === LESSON)!.before)
    expect(votes.reduce((sum, each) => sum + each, 0)).toBe(28)
    await typed(ann, 'flow', 'password', '--client', 'demo-legacy', '--user', 'alice')
    await typed(ann, 'learn', 'check')
    expect(await rows(({ tasks }) => tasks[TASK]?.state === 'done')).toEqual([ann.name])
  })

  it('gets stuck by one rule, and is helped', async () => {
    const held = others.slice(0, 5)
    await all(held, async ({ home }) => {
      const file = await openEventFile(home)
      for (const request of [1, 2, 3]) {
        const about = {
          client_id: 'demo-legacy',
          username: 'alice',
          request,
          description: 'swordfish is wrong',
        }
        const at = new Date().toISOString()
        file.add({ type: 'token.refused', at, error: 'invalid_grant', rule: 'RFC 6749 §4.3.2', ...about })
      }
      await file.close()
    })
    await all(held, report)
    const { people, groups } = await board()
    const stuck = people.filter(each => each.stuck?.why === 'refused').map(({ name }) => name)
    expect(stuck.sort()).toEqual(held.map(({ name }) => name).sort())
    expect(groups[0]).toMatchObject({
      lesson: LESSON,
      task: 'password',
      rule: 'invalid_grant RFC 6749 §4.3.2',
    })
    expect(groups[0]!.who).toHaveLength(5)
    const one = held[0]!
    const room = (await readRoom(one.home, undefined))!
    const heard: RoomMessage[] = []
    const ends = new AbortController()
    const listener = { message: (each: RoomMessage) => void heard.push(each), online: () => {} }
    const following = as(one, () => followRoom(one.home, undefined, room, listener, ends.signal))
    await until(
      () => heard[0],
      () => 'no phase',
    )
    await lead({ do: 'hint', who: room.who })
    await lead({ do: 'say', text: 'Which password does the lab know?' })
    await until(
      () => heard[2],
      () => `heard ${JSON.stringify(heard)}`,
    )
    expect(heard.map(({ type }) => type)).toEqual(['phase', 'hint', 'say'])
    ends.abort()
    await following
  })

  it('goes on while the teacher’s program is killed, and is whole once it runs again', async () => {
    const before = await board()
    const done = (pupil: Pupil) =>
      changeProgress(pupil.home, undefined, old =>
        withTask(old, LESSON, 'password', { doneAt: new Date().toISOString() }),
      )
    const half = others.slice(0, 13)
    const first = all(half, async pupil => {
      await done(pupil)
      await report(pupil).catch(() => {})
    })
    await workshop.stop('SIGKILL')
    await first
    await all(others.slice(13), async pupil => {
      await done(pupil)
      await expect(report(pupil)).rejects.toThrow()
    })
    expect((await allFacts(others.at(-1)!.home, undefined)).waiting.length).toBeGreaterThan(0)
    const code = workshop.ready.code
    await open()
    expect(workshop.ready.code).toBe(code)
    await all(others, report)
    const after = await board()
    expect(after.people.map(({ who, name }) => [who, name])).toEqual(
      before.people.map(({ who, name }) => [who, name]),
    )
    expect(await rows(({ tasks }) => tasks[TASK]?.state === 'done')).toHaveLength(28)
    expect(after.people.map(({ predictions }) => predictions)).toEqual(
      before.people.map(({ predictions }) => predictions),
    )
    for (const { home } of others) {
      const { sent, waiting } = await allFacts(home, undefined)
      const numbers = sent.map(({ n }) => n)
      expect([waiting, numbers]).toEqual([[], Array.from({ length: sent.length }, (_, i) => i + 1)])
      expect(JSON.stringify(sent)).not.toMatch(/swordfish|alice|demo-legacy/)
    }
  })

  it('is left by all, and no line of the teacher’s lessons has run', async () => {
    for (const each of [ann, ben]) expect((await typed(each, 'leave')).code).toBe(0)
    await all([eve, ...others], async ({ home }) => {
      expect(await leaveRoom(home, undefined, (await readRoom(home, undefined))!)).toBe(true)
    })
    expect(await rows(({ leftAt }) => leftAt !== undefined)).toHaveLength(30)
    expect(existsSync(trap)).toBe(false)
  })
})
