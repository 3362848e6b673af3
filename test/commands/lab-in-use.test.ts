import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Globals, readGlobals, withGlobals } from '../../src/commands/globals.js'
import { labInUse } from '../../src/commands/lab-in-use.js'
import { loadLabConfig } from '../../src/lab/config.js'
import { type Lab, startLab } from '../../src/lab/lab.js'
import { recordRunningLab } from '../../src/lab/running.js'

let home = ''
let told: string[] = []
const stops: (() => Promise<void>)[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-in-use-'))
  told = []
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map(stop => stop()))
  rmSync(home, { recursive: true })
})

async function use(more: Partial<Globals> = {}) {
  const globals = {
    json: false,
    timeoutMs: 1000,
    showSecrets: false,
    color: false,
    ascii: false,
    home,
    ...more,
  }
  const lab = await labInUse(globals, { narrate: line => told.push(line) })
  stops.push(lab.stop)
  return lab
}

/** A lab file with one client. */
function labFile(name: string): string {
  const file = join(home, `${name}.yaml`)
  writeFileSync(file, `clients: [{ client_id: ${name}, client_secret: s }]`)
  return file
}

async function running(config: string | null): Promise<Lab> {
  const lab = await startLab({ config: await loadLabConfig(config), home, ports: { authorization: 0 } })
  stops.push(lab.stop)
  await recordRunningLab(home, { pid: process.pid, startedAt: 1, urls: lab.urls, ca: lab.caFile, config })
  return lab
}

describe('the lab in use', () => {
  it('is an embedded one when none runs, and that is said', async () => {
    const lab = await use()
    expect(lab).toMatchObject({ embedded: true, urls: { authorization: expect.stringMatching(/^https:/) } })
    expect(lab.events).toBeDefined()
    expect(told).toEqual([`Started a lab for this command: ${lab.urls.authorization}`])
  })

  it('is the running one, with its lab file', async () => {
    const { urls, caPem } = await running(labFile('web'))
    const lab = await use()
    expect(lab).toMatchObject({ embedded: false, urls, caPem })
    expect(lab.config.clients.map(each => each.client_id)).toEqual(['web'])
    expect(told).toEqual([])
  })

  it('is not the running one when another lab file is asked for', async () => {
    const file = labFile('web')
    const { urls } = await running(null)
    expect(await use({ config: file })).toMatchObject({ embedded: true, config: { file } })
    expect(await use()).toMatchObject({ embedded: false, urls })
  })

  it('is the named one, running or not', async () => {
    const server = 'https://lab.example:1'
    expect(await use({ server })).toMatchObject({ embedded: false, urls: { authorization: server } })
  })

  it('trusts a named CA beside its own', async () => {
    const { caPem, caFile } = await running(null)
    const lab = await use({ cacert: caFile })
    expect(lab.caPem).toBe(`${caPem}\n${caPem}`)
    await expect(use({ cacert: join(home, 'nope') })).rejects.toThrow('cannot read the CA file')
    await expect(use({ cacert: labFile('web') })).rejects.toThrow('holds no PEM certificate')
  })
})

describe('options of every command', () => {
  /** What a command reads from a command line below a program. */
  function read(args: string[], env: Record<string, string> = {}): Globals {
    let globals: Globals | undefined
    const leaf = withGlobals(new Command('leaf')).action((_, command) => {
      globals = readGlobals(command, { HOME: home, ...env })
    })
    withGlobals(new Command('program')).addCommand(leaf).parse(args, { from: 'user' })
    if (!globals) throw new Error('the command did not run')
    return globals
  }

  it.each([[['leaf', '--json', '--timeout', '2m']], [['--timeout', '2m', '--json', 'leaf']]])(
    'are read in %j',
    args => {
      expect(read(args)).toMatchObject({ json: true, timeoutMs: 120_000, showSecrets: false, color: true })
    },
  )

  it('beat the environment, which beats the default', () => {
    const env = { OAUTH_LAB_TIMEOUT: '5s', OAUTH_LAB_SERVER: 'https://a.example/', NO_COLOR: '1' }
    expect(read(['leaf'], env)).toMatchObject({ timeoutMs: 5000, server: 'https://a.example', color: false })
    expect(read(['leaf', '--timeout', '1m'], env).timeoutMs).toBe(60_000)
    expect(read(['leaf'])).toMatchObject({ timeoutMs: 30_000, home: join(home, '.local/share/oauth-lab') })
  })

  it.each([
    [{ OAUTH_LAB_HOME: '/state' }, '/state'],
    [{ XDG_DATA_HOME: '/data' }, '/data/oauth-lab'],
    [{ XDG_DATA_HOME: 'relative' }, '/home/me/.local/share/oauth-lab'],
    [{ OAUTH_LAB_HOME: '' }, '/home/me/.local/share/oauth-lab'],
  ])('find the state folder by %j', (env, expected) => {
    expect(read(['leaf'], { HOME: '/home/me', ...env }).home).toBe(expected)
  })
})
