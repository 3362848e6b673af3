import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { programInHome } from '../../commands/support.js'
import { FREE_PORTS } from '../../support/free-ports.js'
import { launcher, start } from '../../support/program.js'

const { env, home } = programInHome()

/** Runs a lab in which an error that no code awaits is thrown as soon as the lab is recorded. */
async function servedWith(error: string) {
  const code = `
    import { readdirSync } from 'node:fs'
    const ready = () => { try { return readdirSync(process.env.OAUTH_LAB_HOME).some(name => /^lab-\\d+\\.json$/.test(name)) } catch { return false } }
    const timer = setInterval(() => { if (ready()) { clearInterval(timer); throw ${error} } }, 50)`
  const words = ['serve', ...FREE_PORTS]
  const module = `data:text/javascript,${encodeURIComponent(code)}`
  const { ended } = start(process.execPath, ['--import', module, launcher, ...words], { env: env() })
  const result = await ended
  const folder = join(home(), 'lab')
  return {
    ...result,
    left: existsSync(folder)
      ? readdirSync(folder).filter(name => /^(?:crash-.*|lab-\d+\.json)$/.test(name))
      : [],
  }
}

const thrown = (message: string, syscall: string): string =>
  `Object.assign(new Error(${JSON.stringify(message)}), { code: 'EIO', syscall: '${syscall}' })`

it.each(['write', 'read', 'setRawMode'])('a terminal that is gone (%s EIO) is no crash', async syscall => {
  const { code, stderr, left } = await servedWith(thrown(`${syscall} EIO`, syscall))
  expect([code, left]).toEqual([129, []])
  expect(stderr).not.toContain('a bug in oauth-lab')
})

it('a file that cannot be written is one', async () => {
  const { code, stderr, left } = await servedWith(thrown('EIO: i/o error, write', 'write'))
  expect(code).toBe(70)
  expect(stderr).toContain('a bug in oauth-lab: Error: EIO: i/o error, write')
  expect(left).toEqual([expect.stringMatching(/^crash-/)])
})
