import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { cleanEnv, run, temporaryFolder } from '../../support/program.js'
import { sharedFolder } from '../../support/shared.js'
import { root } from '../../support/source-files.js'

/** A clone in which npm has installed no packages. */
const clone = sharedFolder()
beforeAll(() => {
  mkdirSync(join(clone.path, 'scripts'))
  for (const file of ['package.json', 'scripts/postprepare.js', 'scripts/build.js']) {
    cpSync(join(root, file), join(clone.path, file))
  }
})

async function postprepare(...flags: readonly string[]) {
  const args = [...flags, join(clone.path, 'scripts/postprepare.js')]
  const { code, stdout, stderr } = await run(process.execPath, args, { env: cleanEnv(clone.path) })
  return { code, stdout, stderr }
}

it('prints one line, and lets npm succeed, after npm ci --omit=dev', async () => {
  expect(await postprepare()).toEqual({
    code: 0,
    stdout: '',
    stderr:
      'Not built: the packages for building are left out. Run "npm ci --include=dev" to build oauth-lab.\n',
  })
})

it('prints one line, and fails, when Node is too old', async () => {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '18.20.4' })`
  expect(await postprepare('--import', `data:text/javascript,${encodeURIComponent(pretend)}`)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Not built: this is Node 18.20.4; oauth-lab needs 20.18.1 or later.\n',
  })
})

it('prints one line, and fails, when git is missing', async () => {
  const whole = temporaryFolder()
  for (const name of ['package.json', 'scripts', 'patches']) {
    cpSync(join(root, name), join(whole.path, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(whole.path, 'node_modules'))
  const { code, stdout, stderr } = await run(process.execPath, [join(whole.path, 'scripts/postprepare.js')], {
    env: { ...cleanEnv(whole.path), PATH: join(whole.path, 'empty') },
  })
  whole.remove()
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Not built: git applies the patches of packages, and cannot be started. Install it.\n',
  })
})
