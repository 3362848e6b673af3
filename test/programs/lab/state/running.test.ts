import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startLab } from '../../../../src/lab/lab.js'
import { loadLabConfig } from '../../../../src/lab/lab-file/config.js'
import type { Lab } from '../../../../src/lab/model.js'
import {
  findRunningLab,
  type RunningLab,
  recordRunningLab,
  removeRunningLab,
} from '../../../../src/lab/state/running.js'

let home = ''
const labs: Lab[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-running-'))
})
afterEach(async () => {
  await Promise.all(labs.splice(0).map(lab => lab.stop()))
  rmSync(home, { recursive: true })
})

async function start(): Promise<Lab> {
  const lab = await startLab({ config: await loadLabConfig(null), home, ports: { authorization: 0 } })
  labs.push(lab)
  return lab
}

/** A record of a lab under the id of a process. */
const record = (lab: Lab, pid: number, startedAt: number, config: string | null = null): RunningLab => ({
  pid,
  startedAt,
  urls: lab.urls,
  ca: lab.caFile,
  config,
})

it('finds the newest lab that answers, and forgets only its own record', async () => {
  const [first, second] = [await start(), await start()]
  expect(await findRunningLab(home)).toBeUndefined()
  await recordRunningLab(home, record(first, process.ppid, 1))
  await recordRunningLab(home, record(second, process.pid, 2, '/lab.yaml'))
  expect((await findRunningLab(home))?.urls).toEqual(second.urls)
  expect((await findRunningLab(home, each => each.config === null))?.urls).toEqual(first.urls)
  removeRunningLab(home)
  expect((await findRunningLab(home))?.urls).toEqual(first.urls)
  await first.stop()
  expect(await findRunningLab(home)).toBeUndefined()
})

it('asks a lab without an event in the lab', async () => {
  const lab = await start()
  const types: string[] = []
  lab.events.subscribe(event => types.push(event.type))
  await recordRunningLab(home, record(lab, process.pid, 1))
  for (let i = 0; i < 5; i++) expect(await findRunningLab(home)).toBeDefined()
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(types).toEqual([])
})

it('removes records of processes that died, and broken ones', async () => {
  const lab = await start()
  const child = spawn(process.execPath, ['-e', '0'])
  await once(child, 'exit')
  await recordRunningLab(home, record(lab, child.pid ?? 0, 3))
  writeFileSync(join(home, 'lab-1.json'), '{"pid":')
  expect(await findRunningLab(home)).toBeUndefined()
  expect(readdirSync(home).filter(name => name.startsWith('lab-'))).toEqual([])
})

it('does not take another program on the recorded port for the lab', async () => {
  const lab = await start()
  const stranger = join(home, 'stranger')
  const { ensureCertificates } = await import('../../../../src/lab/certificates/certificates.js')
  const { caFile } = await ensureCertificates(stranger)
  await recordRunningLab(home, { ...record(lab, process.pid, 1), ca: caFile })
  expect(await findRunningLab(home)).toBeUndefined()
})
