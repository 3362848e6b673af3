import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ask } from '../../support/https.js'
import {
  cleanEnv,
  type Ended,
  type Running,
  startProgram,
  temporaryFolder,
  until,
} from '../../support/program.js'
import type { LabReady } from '../../support/serve.js'

/** Whether this user may mount a disk so small that it can be filled. */
function mounts(): boolean {
  const { path, remove } = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path], { stdio: 'ignore' })
    execFileSync('umount', [path])
    return true
  } catch {
    return false
  } finally {
    remove()
  }
}

let home: ReturnType<typeof temporaryFolder>
let env: Record<string, string>
let folder = ''
let running: Running[] = []
beforeEach(() => {
  home = temporaryFolder()
  env = cleanEnv(home.path)
  folder = join(home.path, 'lab')
})
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(each => each.ended))
  running = []
  home.remove()
})

function start(more: Readonly<Record<string, string>> = {}): Running {
  const free = ['--port', '0', '--http-port', '0', '--resource-port', '0']
  const program = startProgram(['serve', '--json', ...free], { env: { ...env, ...more } })
  running.push(program)
  return program
}

async function ready(program: Running): Promise<LabReady> {
  const line = await until(
    () => {
      if (program.child.exitCode !== null) throw new Error(`it ended: ${program.stderr()}`)
      return program.stdout().includes('\n') ? program.stdout().split('\n', 1)[0] : undefined
    },
    () => `not ready: ${program.stderr()}`,
  )
  return JSON.parse(line!) as LabReady
}

/** The CA and the published key of a lab that answers under that CA. */
async function identity({ ca, urls }: LabReady): Promise<{ ca: string; kid: string }> {
  const pem = readFileSync(ca, 'utf8')
  const { status, body } = await ask(`${urls.authorization}/.well-known/jwks.json`, { ca: pem })
  expect(status).toBe(200)
  const { keys } = JSON.parse(body) as { keys: { kid: string }[] }
  return { ca: new X509Certificate(pem).fingerprint256, kid: keys.map(({ kid }) => kid).join() }
}

/** What lies in the folder under its final names; a draft has the number of its process behind them. */
const drafts = () => readdirSync(folder).filter(name => /\.\d+-[0-9a-f]{8}$/.test(name))

/** What is loaded before the program: a file whose name begins so gets half of its bytes, and then `then` happens. */
const halfWay = (name: string, then: string) => `
const fs = require('node:fs/promises')
const { basename } = require('node:path')
const { writeFile } = fs
fs.writeFile = async (file, text, options) => {
  if (!basename(String(file)).startsWith('${name}')) return writeFile(file, text, options)
  await writeFile(file, String(text).slice(0, String(text).length / 2), options)
  ${then}
}
require('node:module').syncBuiltinESMExports()
`

const KILLED = "process.kill(process.pid, 'SIGKILL')"
const FULL = "throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })"

/** Starts it with that loaded, and waits for its end. */
function endHalfWay(name: string, then: string): Promise<Ended> {
  const preload = join(home.path, 'preload.cjs')
  writeFileSync(preload, halfWay(name, then))
  return start({ NODE_OPTIONS: `--require ${preload}` }).ended
}

describe('serve that is killed while it starts', () => {
  it('leaves a state folder that the next one starts with', async () => {
    for (const name of ['signing-keys', 'signing-public', 'lab-']) {
      expect((await endHalfWay(name, KILLED)).signal).toBe('SIGKILL')
      expect(drafts().filter(each => each.startsWith(name)).length).toBe(1)
    }
    // From before the first file to after the last, and nobody cleans up between.
    for (const pause of [150, 220, 300, 400, 550]) {
      const program = start()
      await delay(pause)
      program.child.kill('SIGKILL')
      await program.ended
    }
    for (const name of drafts()) utimesSync(join(folder, name), 0, 0)
    const first = start()
    const before = await identity(await ready(first))
    expect(first.stderr()).toBe('')
    first.child.kill('SIGKILL')
    await first.ended
    expect(drafts()).toEqual([])
    // Whole now: the next one keeps the keys.
    expect(await identity(await ready(start()))).toEqual(before)
  })
})

describe('two serves that start at once in a fresh folder', () => {
  it('both answer with the same CA and the same key', async () => {
    const both = [start(), start()]
    const [one, other] = await Promise.all((await Promise.all(both.map(ready))).map(identity))
    expect(other).toEqual(one)
    expect(both.map(each => each.stderr())).toEqual(['', ''])
    expect(drafts()).toEqual([])
  })
})

const message = (at: string) =>
  [
    `oauth-lab: the state folder ${at} cannot be used: the disk is full`,
    '  Make room, or name another one:  OAUTH_LAB_HOME=/path/to/folder',
    '',
  ].join('\n')

describe('a disk that is full', () => {
  it('is reported in one line for every file, and leaves no partial file', async () => {
    for (const name of ['ca-key', 'leaf', 'ca.pem', 'signing-keys', 'signing-public', 'lab-']) {
      rmSync(folder, { recursive: true, force: true })
      const { code, stdout, stderr } = await endHalfWay(name, FULL)
      expect([code, stdout, stderr], name).toEqual([2, '', message(folder)])
      const files = readdirSync(folder)
      expect(files.filter(each => each.startsWith(name))).toEqual([])
      // The event file grows line by line, so that it may be empty.
      const whole = files.filter(each => !each.startsWith('events-'))
      for (const each of whole) expect(readFileSync(join(folder, each), 'utf8')).toMatch(/(-----|\})\n$/)
    }
    // The last one met the record alone, so that the keys are there.
    const { fingerprint256 } = new X509Certificate(readFileSync(join(folder, 'ca-key.pem')))
    expect((await identity(await ready(start()))).ca).toBe(fingerprint256)
  })

  it.skipIf(!mounts())('is met in truth, and made room on', async () => {
    mkdirSync(folder)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k,mode=700', 'tmpfs', folder])
    try {
      const first = start()
      const before = await identity(await ready(first))
      first.child.kill('SIGKILL')
      await first.ended
      const filler = join(folder, 'filler')
      expect(() => writeFileSync(filler, Buffer.alloc(100_000))).toThrow(/ENOSPC/)
      const { code, stdout, stderr } = await start().ended
      expect([code, stdout, stderr]).toEqual([2, '', message(folder)])
      expect(drafts()).toEqual([])
      rmSync(filler)
      const next = start()
      expect(await identity(await ready(next))).toEqual(before)
      next.child.kill('SIGKILL')
      await next.ended
    } finally {
      execFileSync('umount', [folder])
    }
  })
})
