import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { drawFaults } from '../../../src/learn/capstones/client/faults.js'
import { theftLog } from '../../../src/learn/capstones/log/theft-log.js'
import { missingDefences } from '../../../src/learn/capstones/weak-server.js'
import { clientText } from '../../../src/learn/skeletons.js'
import { WEAK_NAMES } from '../../../src/protocol/rules/weak-modes.js'
import { ends, programInHome } from '../../commands/support.js'
import { jsonLines, launcher, type Running, start, until } from '../../support/program.js'

const TIME = { timeout: 120_000 }

describe('learn start capstone-log', () => {
  const { home, oauthLab } = programInHome()
  const file = () => join(home(), 'capstone-log.jsonl')

  it('writes the log of the seed, keeps it the second time, and refuses another seed', TIME, async () => {
    const first = await oauthLab('learn', 'start', 'capstone-log', '--seed', '5', '--json')
    expect(jsonLines(first.stdout)).toEqual([
      { capstone: 'capstone-log', seed: 5, file: file(), kept: false },
    ])
    const { lines } = await theftLog(5)
    expect(readFileSync(file(), 'utf8')).toBe(`${lines.join('\n')}\n`)
    writeFileSync(file(), 'my notes')
    const again = await oauthLab('learn', 'start', 'capstone-log')
    expect([again.code, readFileSync(file(), 'utf8')]).toEqual([0, 'my notes'])
    const other = await oauthLab('learn', 'start', 'capstone-log', '--seed', '6')
    expect(other).toMatchObject(ends(2, '--reset --seed 6'))
  })

  it('is listed after its part, and gives no help', TIME, async () => {
    const names = jsonLines((await oauthLab('learn', 'list', '--json')).stdout).map(({ name }) => name)
    expect(names[names.indexOf('capstone-log') - 1]).toBe('13-revocation')
    for (const help of ['hint', 'solution', 'explain']) {
      expect(await oauthLab('learn', help)).toMatchObject(ends(2, 'it gives no help'))
    }
  })

  it('names what may be answered, and counts no false alarm for a misspelt name', TIME, async () => {
    const { code, stderr } = await oauthLab('learn', 'answer', 'no-rotatoin')
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean no-rotation?')
    expect(stderr).toContain('Weak modes: ')
    for (const wrong of ['41', '0', '-1', '', '9'.repeat(300), '\u001b[2J']) {
      const ended = await oauthLab('learn', 'answer', '--', wrong)
      expect([wrong, ended.code, ended.stderr.includes('\u001b')]).toEqual([wrong, 2, false])
    }
    const check = await oauthLab('learn', 'check', '--json')
    expect([check.code, jsonLines(check.stdout)]).toEqual([
      1,
      [{ capstone: 'capstone-log', done: false, found: 0, of: 3, false_alarms: 0 }],
    ])
  })

  it('is done by the moment, the thief and the defence, with the false alarms', TIME, async () => {
    const { quiz } = await theftLog(5)
    const right = quiz.map(part => part.right[0] ?? '')
    const wrong = WEAK_NAMES.find(name => !right.includes(name)) ?? ''
    const alarm = await oauthLab('learn', 'answer', wrong, '--json')
    expect([alarm.code, jsonLines(alarm.stdout)[0]]).toMatchObject([1, { false_alarms: 1, done: false }])
    const done = await oauthLab('learn', 'answer', ...right)
    expect(done.code).toBe(0)
    expect(done.stdout).toContain('Done: capstone-log, with 1 false alarm.')
    const after = await oauthLab('learn', 'answer', wrong)
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('with 1 false alarm')])
    expect((await oauthLab('learn', 'check')).code).toBe(0)
    const { stdout } = await oauthLab('learn', 'progress', '--markdown')
    expect(stdout).toContain('seed 5, 1 false alarm')
    expect(jsonLines((await oauthLab('learn', 'progress', '--json')).stdout)[0]).toMatchObject({
      capstones: { 'capstone-log': { seed: 5, falseAlarms: [wrong] } },
    })
  })

  it('begins again with --reset, and is forgotten by learn reset', TIME, async () => {
    const reset = await oauthLab('learn', 'start', 'capstone-log', '--seed', '6', '--reset', '--json')
    expect(jsonLines(reset.stdout)[0]).toMatchObject({ seed: 6, kept: false })
    expect(readFileSync(file(), 'utf8')).not.toBe('my notes')
    await oauthLab('learn', 'reset', 'capstone-log')
    expect(existsSync(file())).toBe(true)
    expect((await oauthLab('learn', 'answer', 'no-iss')).stderr).toContain('no lesson was started')
    const taken = await oauthLab('learn', 'start', 'capstone-log')
    expect(taken).toMatchObject(ends(2, 'exists already'))
    rmSync(file())
    mkdirSync(file())
    const folder = await oauthLab('learn', 'start', 'capstone-log', '--reset')
    expect(folder).toMatchObject(ends(2, 'cannot write'))
    rmSync(file(), { recursive: true })
  })
})

describe('learn start capstone-server', () => {
  const { home, env, oauthLab } = programInHome()
  const names = missingDefences(9)
  let running: Running
  beforeAll(async () => {
    const args = [launcher, 'learn', 'start', 'capstone-server', '--seed', '9', '--json']
    running = start(process.execPath, args, { env: env(), limit: 120_000, input: null })
    await until(
      () => (running.stdout().includes('lab.ready') ? true : undefined),
      () => `no lab: ${running.stderr()}`,
    )
  }, 120_000)
  afterAll(async () => {
    running.child.kill('SIGTERM')
    await running.ended
  })

  it('serves a lab that other commands find, and names nothing', TIME, async () => {
    const flow = await oauthLab('flow', 'client-credentials', '--client', 'demo-service')
    expect(flow).toMatchObject(ends(0, 'WEAK on purpose: defences are missing, and which ones is hidden'))
    const said = running.stdout() + running.stderr() + flow.stdout + flow.stderr
    const kept = ['learn.json', `lab-${running.child.pid}.json`].map(name =>
      readFileSync(join(home(), 'lab', name), 'utf8'),
    )
    for (const name of names) expect([said, ...kept].filter(text => text.includes(name))).toEqual([])
  })

  it('counts false alarms, and is done when the three are named', TIME, async () => {
    expect((await oauthLab('learn', 'check')).code).toBe(1)
    const wrong = WEAK_NAMES.find(name => !names.includes(name)) ?? ''
    const first = await oauthLab('learn', 'answer', `${names[0]}, ${wrong}`, '--json')
    expect([first.code, jsonLines(first.stdout)[0]]).toMatchObject([1, { found: 1, of: 3, false_alarms: 1 }])
    const last = await oauthLab('learn', 'answer', ...names.slice(1))
    expect([last.code, last.stdout]).toEqual([
      0,
      expect.stringContaining('Done: capstone-server, with 1 false'),
    ])
  })

  it('leaves a lesson in peace: starting one ends the capstone', TIME, async () => {
    await oauthLab('learn', 'start', '0')
    expect((await oauthLab('learn', 'hint')).stdout).toContain('Predict first')
  })
})

describe('learn start capstone-client', () => {
  const { home, oauthLab } = programInHome()
  const file = () => join(home(), 'capstone-client.mjs')

  it('writes a client with four faults, whose number is said and whose names are not', TIME, async () => {
    await oauthLab('learn', 'start', 'capstone-client', '--seed', '3')
    expect(readFileSync(file(), 'utf8')).toBe(await clientText(drawFaults(3)))
    const check = await oauthLab('learn', 'check', '--json')
    expect([check.code, jsonLines(check.stdout)]).toEqual([
      1,
      [{ capstone: 'capstone-client', done: false, broken: 4, of: 12 }],
    ])
    const said = (await oauthLab('learn', 'check')).stdout
    expect(said).toBe('Not yet: 4 of 12 properties do not hold.\n')
    expect((await oauthLab('learn', 'answer', 'no-iss')).code).toBe(2)
  })

  it('is done by a client in another file, and names the four then', TIME, async () => {
    writeFileSync(join(home(), 'mine.mjs'), await clientText([]))
    const done = await oauthLab('learn', 'check', '--json', '--', process.execPath, 'mine.mjs')
    expect([done.code, jsonLines(done.stdout)[0]]).toEqual([
      0,
      { capstone: 'capstone-client', done: true, broken: 0, of: 12, faults: drawFaults(3) },
    ])
    const { stdout } = await oauthLab('learn', 'progress')
    expect(stdout).toContain('seed 3, 2 checks that did not pass')
  })

  it('says what is wrong with a client that is broken or gone', TIME, async () => {
    writeFileSync(file(), 'throw new Error("not today")')
    const broken = await oauthLab('learn', 'check')
    expect([broken.code, broken.stdout]).toEqual([
      1,
      expect.stringContaining('no address at which it listens'),
    ])
    rmSync(file())
    const gone = await oauthLab('learn', 'check')
    expect(gone).toMatchObject(ends(2, 'is gone'))
    const none = await oauthLab('learn', 'check', '--', 'no-such-program')
    expect([none.code, none.stdout]).toEqual([
      1,
      expect.stringContaining('no-such-program cannot be started'),
    ])
  })
})

describe('learn in a lesson whose lab hides its weak modes', () => {
  const { env, oauthLab } = programInHome()

  /** Serves the lab of the lesson until `use` is done. */
  async function serving(args: readonly string[], use: () => Promise<unknown>): Promise<string> {
    const running = start(process.execPath, [launcher, ...args], { env: env(), limit: 60_000, input: null })
    await until(
      () => (running.stdout().includes('Ctrl-C stops it') ? true : undefined),
      () => `no lab: ${running.stderr()}`,
    )
    await use()
    running.child.kill('SIGTERM')
    await running.ended
    return running.stdout()
  }

  it('serves it again, and keeps what was done', TIME, async () => {
    const first = await serving(['learn', 'start', '27'], () => oauthLab('learn', 'answer', 'b'))
    expect(first).toContain('Predict first')
    const again = await serving(['learn'], async () => {
      expect((await oauthLab('learn')).stdout).toContain('Uses the running lab')
    })
    expect(again).toContain('Task 1 of 2')
    expect(again).not.toContain('Predict first')
  })
})
