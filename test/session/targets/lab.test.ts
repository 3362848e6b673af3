import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTransport } from '../../../src/client/transport.js'
import { startLab } from '../../../src/lab/lab.js'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../src/lab/model.js'
import { recordRunningLab } from '../../../src/lab/state/running.js'
import { header } from '../../../src/protocol/http/message.js'
import { type LabOptions, type LabUse, labTarget } from '../../../src/session/targets/lab.js'

let home = ''
let narrated: string[] = []
const stops: (() => Promise<void>)[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-target-'))
  narrated = []
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map(stop => stop()))
  rmSync(home, { recursive: true })
})

async function use(options: Omit<LabOptions, 'home'> = {}, how: Partial<LabUse> = {}) {
  narrated = []
  const lab = await labTarget({ home, ...options }, { narrate: line => narrated.push(line), ...how })
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

describe('the lab of a run', () => {
  it('is an embedded one when none runs, which is reported', async () => {
    const lab = await use()
    expect(lab).toMatchObject({
      address: lab.urls.authorization,
      urls: { authorization: expect.stringMatching(/^https:/) },
    })
    expect(lab.embedded?.events).toBeDefined()
    expect(narrated).toEqual([`Started a lab for this command: ${lab.urls.authorization}`])
  })

  it('keeps connections for minutes when it is embedded, since a person may think between two steps', async () => {
    const { address, caPem } = await use()
    const { send, close } = createTransport({ caPem })
    const get = { method: 'GET', url: `${address}/`, headers: [], body: new Uint8Array() }
    const { response } = await send(get)
    close()
    expect(response && header(response, 'keep-alive')).toBe('timeout=600')
  })

  it('is the running one, with its lab file, which is reported', async () => {
    const { urls, caPem } = await running(labFile('web'))
    const lab = await use()
    expect(lab).toMatchObject({ address: urls.authorization, urls, caPem })
    expect(lab.embedded).toBeUndefined()
    expect(lab.config.clients.map(each => each.client_id)).toEqual(['web'])
    expect(narrated).toEqual([`Uses the running lab ${urls.authorization}`])
  })

  it('is not the running one when another lab file or a clock is asked for, which is reported', async () => {
    const file = labFile('web')
    const { urls } = await running(null)
    const unused = `Your lab ${urls.authorization} runs too, and is not used: `
    const lab = await use({ config: file })
    expect(lab).toMatchObject({ embedded: { clock: {} }, config: { file } })
    const started = `Started a lab for this command: ${lab.address}`
    expect(narrated).toEqual([`${unused}its lab file is not ${file}`, started])
    expect(await use({}, { own: 'a clock is needed' })).toMatchObject({ embedded: {} })
    expect(narrated[0]).toBe(`${unused}a clock is needed`)
    expect(await use()).toMatchObject({ urls })
  })

  it('is not reported where another program shows the lines', async () => {
    const { urls } = await running(null)
    await use({}, { quiet: true })
    await use({ server: urls.authorization }, { quiet: true })
    await use({ server: 'https://lab.example:1' }, { quiet: true })
    expect(narrated).toEqual([])
  })

  it('is the named one, running or not', async () => {
    const server = 'https://lab.example:1'
    const lab = await use({ server })
    expect(lab).toMatchObject({ address: server, urls: { authorization: server }, elsewhere: true })
    expect(lab.embedded).toBeUndefined()
    expect(narrated).toEqual([`Uses the lab ${server} (--server)`])
  })

  it('is the named one also while another one of this user runs, which is reported', async () => {
    const { urls } = await running(null)
    const server = 'https://lab.example:1'
    await use({ server, serverBy: 'OAUTH_LAB_SERVER' })
    expect(narrated).toEqual([
      `Uses the lab ${server} (OAUTH_LAB_SERVER)`,
      `Your lab ${urls.authorization} runs too, and is not used: OAUTH_LAB_SERVER names another one`,
    ])
    narrated = []
    expect(await use({ server: urls.authorization })).toMatchObject({ urls, elsewhere: false })
    expect(narrated).toEqual([`Uses the lab ${urls.authorization} (--server)`])
  })

  it('trusts a named CA beside its own', async () => {
    const { caPem, caFile } = await running(null)
    const lab = await use({ cacert: caFile })
    expect(lab.caPem).toBe(`${caPem}\n${caPem}`)
    await expect(use({ cacert: join(home, 'nope') })).rejects.toThrow('cannot read the CA file')
    await expect(use({ cacert: labFile('web') })).rejects.toThrow('holds no PEM certificate')
  })

  it('has a clock that can be set forward where it is embedded', async () => {
    const { now, embedded } = await use()
    const before = now()
    embedded?.clock.advance(3_600_000)
    expect(now() - before).toBeGreaterThanOrEqual(3_600_000)
  })

  it('is not started when its lab file fails the check', async () => {
    const check = () => {
      throw new Error('unknown client')
    }
    const narrate = (line: string) => narrated.push(line)
    await expect(labTarget({ home }, { narrate, check })).rejects.toThrow('unknown client')
    expect(narrated).toEqual([])
  })
})
