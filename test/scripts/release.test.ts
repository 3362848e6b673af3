import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../support/source-files.js'

it.each([
  [{}, true],
  [{ GITHUB_SERVER_URL: 'https://github.example' }, true],
  [{ GITHUB_SERVER_URL: 'https://github.example', GITHUB_REPOSITORY: 'me/lab' }, false],
])('a release by %j is refused for want of a repository: %j', (github, isRefused) => {
  const { GITHUB_SERVER_URL: _, GITHUB_REPOSITORY: __, ...env } = process.env
  // No commit of a test has the tag of a release, so that nothing is packed.
  const words = [join(root, 'scripts/release.js'), '--publish']
  const { status, stderr } = spawnSync(process.execPath, words, {
    env: { ...env, ...github },
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr.includes('provenance needs GITHUB_SERVER_URL and GITHUB_REPOSITORY')).toBe(isRefused)
})
