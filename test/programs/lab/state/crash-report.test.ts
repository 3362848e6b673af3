import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { maskedCommand } from '../../../../src/lab/state/crash-report.js'
import { cleanEnv, runProgram } from '../../../support/program.js'
import { sharedFolder } from '../../../support/shared.js'
import { read } from '../../../support/source-files.js'

const home = sharedFolder()

/** Makes `version --bundled` fail while it pads the name of a package. */
const hook = join(home.path, 'hook.cjs')
writeFileSync(
  hook,
  `const { padEnd } = String.prototype
  String.prototype.padEnd = function (...args) {
    if (String(this) === 'graphql') throw new Error('a deliberate bug')
    return padEnd.apply(this, args)
  }`,
)

async function crash(more: Readonly<Record<string, string>> = {}) {
  const words = ['version', '--bundled', '--cacert', 'client_secret=wonderland']
  return runProgram(words, { env: cleanEnv(home.path, { NODE_OPTIONS: `--require ${hook}`, ...more }) })
}

describe('a crash report', () => {
  it('holds versions, the masked command line and a stack in lines of the source', async () => {
    const { code, stderr } = await crash()
    expect(code).toBe(70)
    expect(stderr).not.toContain('    at ')
    const [name = ''] = readdirSync(join(home.path, 'lab'))
    const report = readFileSync(join(home.path, 'lab', name), 'utf8')
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(report).toContain(
      `oauth-lab ${version} on Node ${process.version}, ${process.platform} ${process.arch}`,
    )
    expect(report).toContain('Command:  oauth-lab version --bundled --cacert client_secret=•••\n')
    expect(report).not.toContain('wonderland')
    const lines = read('src/commands/config.ts').split('\n')
    const [, line = 0] = /src\/commands\/config\.ts:(\d+):\d+/.exec(report) ?? []
    expect(lines[Number(line) - 1]).toContain('.padEnd(columns)')
    expect(report).not.toMatch(/dist\/\S+\.cjs:/)
  })

  it('prints the same stack on stderr with OAUTH_LAB_DEBUG=1', async () => {
    const { stderr } = await crash({ OAUTH_LAB_DEBUG: '1' })
    expect(stderr).toMatch(/src\/commands\/config\.ts:\d+:\d+/)
  })
})

describe('the masked command line', () => {
  const token = 'eyJhbGciOiJub25lIn0.eyJpc3MiOiJqb2UifQ.'
  it.each([
    ['flow code --client demo --user alice:wonderland', 'flow code --client demo --user •••'],
    ['flow code --user=alice:wonderland --scope=openid', 'flow code --user=••• --scope=openid'],
    ['cf zones --email alice@example.com', 'cf zones --email •••'],
    ['call https://localhost:8443/a -H Authorization:abc', 'call https://localhost:8443/a -H •••'],
    ['flow resource --token abc', 'flow resource --token •••'],
    ['revoke tGzv3JOkF0XG5Qx2TlKWIA0123456789', 'revoke tGzv…789'],
    ['cf events --webhook https://chat.example/hooks/s3cr3t', 'cf events --webhook •••'],
    ['explain client_secret=abc', 'explain client_secret=•••'],
    ['compress explain gzip;q=1', 'compress explain gzip;q=1'],
    [
      'discover https://alice:wonderland@lab.example/?code=a-code-of-alice',
      'discover https://•••@lab.example/?code=a-co…ice',
    ],
    ['serve --port 8443 --stage key-pair', 'serve --port 8443 --stage key-pair'],
  ])('of %s', (typed, shown) => {
    expect(maskedCommand(typed.split(' ')).join(' ')).toBe(shown)
  })

  it('cuts a token in the middle', () => {
    expect(maskedCommand(['jwt', 'decode', token]).join(' ')).not.toContain('eyJpc3MiOiJqb2UifQ')
  })
})
