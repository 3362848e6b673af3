import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { judgeProbe } from '../../../src/learn/engine/vocabulary.js'
import type { ProbeName } from '../../../src/learn/model.js'
import { runProbe } from '../../../src/learn/probe/run-probe.js'
import { temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

let folder: ReturnType<typeof temporaryFolder>
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

async function verdictOn(probe: ProbeName, name: string): Promise<string> {
  const config = await loadLabConfig(null)
  const report = await runProbe(probe, {
    command: [process.execPath, join(import.meta.dirname, `${name}.js`)],
    folder: folder.path,
    home: join(folder.path, 'lab'),
    config,
    client: config.clients.find(each => each.client_id === 'demo')!,
    user: { username: 'alice', password: 'wonderland' },
  })
  return judgeProbe(report)
}

describeWith([rigs], 'client libraries, unchanged', () => {
  const names = ['probed-openid-client', 'probed-oauth4webapi'] as const
  const probes = ['state', 'iss', 'nonce', 'mix-up', 'access-token'] as const
  it.each(names.flatMap(name => probes.map(probe => [name, probe] as const)))(
    '%s passes the probe %s',
    { timeout: 120_000 },
    async (name, probe) => {
      expect(await verdictOn(probe, name)).toBe('passed')
    },
  )

  // OpenID Connect Core §3.1.3.8 lets a client of the code flow leave at_hash alone, and both do.
  it.each(names)('%s does not look at at_hash', { timeout: 120_000 }, async name => {
    expect(await verdictOn('at_hash', name)).toMatch(/^Your client accepted the tokens in all 3 wrong runs/)
  })
})
