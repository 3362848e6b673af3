import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { npmrc, registrySettings, registryUnreachable } from '../support/npm.js'
import { cleanEnv, type Ended, jsonLines, run, temporaryFolder } from '../support/program.js'
import { everythingRequired, findProgram } from '../support/requires.js'
import { root } from '../support/source-files.js'

const home = temporaryFolder()
const place = temporaryFolder()
afterAll(() => {
  home.remove()
  place.remove()
})

function npm(args: readonly string[], cwd: string): Promise<Ended> {
  return run(findProgram('npm') ?? 'npm', args, {
    env: cleanEnv(home.path, registrySettings),
    cwd,
    limit: 180_000,
  })
}

describe('the package', () => {
  it('is installed elsewhere and runs from any folder', { timeout: 240_000 }, async ctx => {
    // The built program is there already; building it again would pull it from under the other tests.
    const packed = await npm(['pack', '--ignore-scripts', '--json', '--pack-destination', place.path], root)
    expect(packed).toMatchObject({ code: 0 })
    const [{ filename, files }] = JSON.parse(packed.stdout) as [
      { filename: string; files: { path: string }[] },
    ]
    const paths = files.map(each => each.path)
    const expected = [
      'bin/oauth-lab.js',
      'dist/cli.cjs',
      'dist/THIRD-PARTY-NOTICES.txt',
      'README.md',
      'LICENSE',
      // Bundled, so that the package installs without a registry.
      'node_modules/open/package.json',
    ]
    expect(paths).toEqual(expect.arrayContaining(expected))
    expect(paths.filter(path => /^(src|test|node_modules\/(typescript|vitest)|\.ci)\//.test(path))).toEqual(
      [],
    )

    const installed = await npm(
      ['install', '--prefer-offline', '--no-audit', '--no-fund', filename],
      place.path,
    )
    if (installed.code !== 0 && registryUnreachable(installed.stderr) && !everythingRequired) {
      ctx.skip('the npm registry cannot be reached')
    }
    expect(installed).toMatchObject({ code: 0 })
    expect(installed.stderr).not.toContain('install-scripts')

    const flow = ['flow', 'code', '--client', 'demo', '--json']
    const npx = await run(findProgram('npx') ?? 'npx', ['--no-install', 'oauth-lab', ...flow], {
      env: cleanEnv(home.path, npmrc),
      cwd: place.path,
    })
    expect(npx.code, npx.stderr).toBe(0)
    expect(jsonLines(npx.stdout).at(-1)).toMatchObject({ outcome: 'granted' })
    // Reads XML, and so packages that nothing else needs.
    const saml = await run(
      join(place.path, 'node_modules/.bin/oauth-lab'),
      ['flow', 'assertion', '--saml', '--client', 'demo', '--json'],
      { env: cleanEnv(home.path) },
    )
    expect(jsonLines(saml.stdout).at(-1), saml.stderr).toMatchObject({ outcome: 'granted' })
    const direct = await run(join(place.path, 'node_modules/.bin/oauth-lab'), flow, {
      env: cleanEnv(home.path),
    })
    expect(direct.code, direct.stderr).toBe(0)
    expect(jsonLines(direct.stdout).at(-1)).toMatchObject({ outcome: 'granted' })

    const program = `import { startLab } from 'oauth-lab'
      const lab = await startLab()
      const { token_type } = await lab.login()
      await lab.stop()
      console.log(token_type)`
    const library = await run(process.execPath, ['--input-type=module', '-e', program], {
      env: cleanEnv(home.path),
      cwd: place.path,
    })
    expect(library).toMatchObject({ code: 0, stdout: 'Bearer\n', stderr: '' })
  })
})
