import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInLessons } from '../../../src/learn/lesson-list.js'
import { programInHome } from '../../commands/support.js'
import { jsonLines } from '../../support/program.js'
import { startTeacher, type TestTeacher, teacherCertificate } from '../../support/teacher.js'

const lessons = (await builtInLessons()).map(({ name, title, tasks }) => ({
  name,
  title,
  tasks: tasks.map(task => task.name),
  question: '',
  options: ['', '', ''],
  right: 'a',
}))
const certificate = await teacherCertificate()
let teacher: TestTeacher
beforeAll(async () => {
  teacher = await startTeacher({ tls: certificate, lessons })
})
afterAll(() => teacher.stop())

const rowOf = (name: string) => teacher.room.board().people.find(each => each.name === name)!

describe('a participant', () => {
  const { home, here: oauthLab } = programInHome()
  const joinAs = (name: string) => oauthLab('join', teacher.address, teacher.code, '--as', name)

  it('is told what is sent and what never is', async () => {
    const { code, stdout } = await joinAs('Dora')
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `You are Dora (${rowOf('Dora').who}) in the room Monday, at ${teacher.address}.`,
    ])
    expect(stdout).toMatch(/Never: tokens, passwords, files, addresses/)
    expect((await oauthLab('join', '--show')).stdout).toMatch(/^Nothing was sent/)
    for (const file of ['room.json', 'room-outbox.json'])
      expect(readFileSync(join(home(), 'lab', file), 'utf8')).toMatch(/^\{/)
  })

  it('starts where the room is, and each command reports what was learned', { timeout: 60_000 }, async () => {
    const lesson = '00-printing-service'
    teacher.room.lead({ do: 'phase', lesson, pace: { kind: 'free' } })
    await joinAs('Dora')
    expect((await oauthLab('learn')).stdout).toContain('Lesson 0:')
    expect(rowOf('Dora')).toMatchObject({ lesson })
    await oauthLab('learn', 'answer', 'b')
    const letter = rowOf('Dora').predictions[lesson]!.first
    const progress = JSON.parse(readFileSync(join(home(), 'lab/learn.json'), 'utf8'))
    const { drawnLesson } = await import('../../../src/learn/engine/drawn-lesson.js')
    const file = (await builtInLessons()).find(({ name }) => name === lesson)!
    const drawn = drawnLesson(file, progress.lessons[lesson].seed)
    const chosen = drawn.prediction.options[1]!
    expect('abc'[file.prediction.options.indexOf(chosen)]).toBe(letter)
    await oauthLab('flow', 'password', '--client', 'demo-legacy', '--user', 'alice:swordfish')
    await oauthLab('learn', 'hint')
    expect(rowOf('Dora').tasks[`${lesson}/password`]).toMatchObject({
      state: 'shown',
      hints: 1,
      refused: { 'invalid_grant RFC 6749 §4.3.2': 1 },
    })
    await oauthLab('flow', 'password', '--client', 'demo-legacy', '--user', 'alice')
    await oauthLab('learn', 'check')
    expect(rowOf('Dora')).toMatchObject({
      task: 'token',
      tasks: { [`${lesson}/password`]: { state: 'done' } },
    })
  })

  it('sees each fact that was sent, and not one word of a secret', async () => {
    const { stdout } = await oauthLab('join', '--show', '--json')
    const facts = jsonLines(stdout)
    expect(facts.map(({ fact }) => fact)).toEqual([
      'lesson.opened',
      'prediction.answered',
      'task.shown',
      'refused',
      'hint.taken',
      'task.done',
      'task.shown',
    ])
    expect(facts.every(({ sent }) => sent === true)).toBe(true)
    expect(stdout).not.toMatch(/swordfish|wonderland|alice|demo|localhost/)
    expect((await oauthLab('join', '--show')).stdout).toContain('00-printing-service/password')
  })

  it('works on while the teacher is away, and is in the room again afterwards', async () => {
    const state = teacher.room.state()
    const port = Number(teacher.address.split(':')[1])
    await teacher.stop()
    const hint = await oauthLab('learn', 'hint')
    expect([hint.code, hint.stderr]).toEqual([0, ''])
    expect((await oauthLab('join', '--show')).stdout).toMatch(
      /Waits until the teacher can be reached\n.*hint/,
    )
    teacher = await startTeacher({ tls: certificate, lessons, state, port })
    await oauthLab('learn', 'list')
    expect(rowOf('Dora').tasks['00-printing-service/token']).toMatchObject({ hints: 1 })
  })

  it('leaves, and nothing is sent any more', async () => {
    const { code, stdout } = await oauthLab('leave')
    expect([code, stdout]).toEqual([0, expect.stringContaining('You left the room Monday')])
    const before = rowOf('Dora')
    await oauthLab('learn', 'hint')
    expect(rowOf('Dora')).toEqual({ ...before, leftAt: expect.any(String) })
    expect((await oauthLab('leave')).code).toBe(2)
  })
})

describe('the end of a lesson in a room', () => {
  const { here: oauthLab } = programInHome()
  const lesson = '00-printing-service'

  it('asks the prediction once more, before the explanation', { timeout: 60_000 }, async () => {
    await oauthLab('join', teacher.address, teacher.code, '--as', 'Ed')
    await oauthLab('learn', 'start', lesson)
    await oauthLab('learn', 'answer', 'b')
    await oauthLab('flow', 'password', '--client', 'demo-legacy', '--user', 'alice')
    await oauthLab('learn', 'check')
    await oauthLab('flow', 'code', '--client', 'course', '--user', 'alice')
    const asks = expect.stringContaining(
      'Predict once more (a, b, c), for the room:  oauth-lab learn answer LETTER',
    )
    const done = await oauthLab('learn', 'check')
    expect([done.code, done.stdout]).toEqual([0, asks])
    expect(done.stdout).toMatch(/^Done: task 2 of 2, token\.\n\nYou have seen it now\. alice gave/)
    for (const words of [['check'], ['explain'], []]) {
      const { stdout } = await oauthLab('learn', ...words)
      expect([stdout, stdout]).toEqual([asks, expect.not.stringContaining('Remember')])
    }
    const { first } = rowOf('Ed').predictions[lesson]!
    expect(rowOf('Ed').predictions[lesson]).toEqual({ first })
    const { stdout } = await oauthLab('learn', 'answer', 'c')
    expect(stdout).toMatch(/^You predicted b, and c after the tasks\. It was [abc]\.\n/)
    expect(stdout).toContain('Remember')
    const { last } = rowOf('Ed').predictions[lesson]!
    expect(teacher.room.board().polls.find(each => each.lesson === lesson)!.after).toEqual({ [last!]: 1 })
    expect((await oauthLab('learn', 'check')).stdout).toContain('Its explanation:  oauth-lab learn explain')
    await oauthLab('learn', 'answer', 'a')
    expect(rowOf('Ed').predictions[lesson]).toEqual({ first, last })
  })
})

describe('the lessons of a teacher', () => {
  const { home, here: oauthLab } = programInHome()
  const example = readFileSync('examples/lesson/01-ask-for-less.yaml', 'utf8')
  const handOut = (...files: { name: string; text: string }[]) =>
    startTeacher({ tls: certificate, lessons, files })

  it('are taken, and no line of them runs', async () => {
    const trap = join(home(), 'trap')
    const text = example.replace(/^( *cli: ).*$/m, `$1touch ${trap}`)
    expect(text).not.toBe(example)
    const own = await handOut({ name: '01-ask-for-less.yaml', text })
    const { code, stdout } = await oauthLab('join', own.address, own.code, '--as', 'Ann')
    expect([code, stdout]).toEqual([0, expect.stringContaining(`    touch ${trap}`)])
    expect((await oauthLab('learn', 'list')).stdout).toContain('01-ask-for-less')
    expect((await oauthLab('learn', 'list')).stdout).not.toContain('05-pkce')
    await oauthLab('learn')
    await oauthLab('learn', 'check')
    expect(existsSync(trap)).toBe(false)
    await oauthLab('leave')
    await own.stop()
  })

  it.each([
    [
      'that are broken',
      { name: '01-ask-for-less.yaml', text: 'title: x\n' },
      1,
      'the lessons of the teacher are broken',
    ],
    [
      'with a name that leads elsewhere',
      { name: '../01-ask-for-less.yaml', text: 'x' },
      1,
      'something that is no room',
    ],
  ])('%s are refused, and nothing is joined', async (_, file, code, problem) => {
    const own = await handOut(file)
    const ended = await oauthLab('join', own.address, own.code, '--as', 'Ann')
    expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(problem)])
    expect(existsSync(join(home(), 'lab/room.json'))).toBe(false)
    await own.stop()
  })
})
