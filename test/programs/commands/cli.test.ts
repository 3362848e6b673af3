import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandList } from '../../../src/commands/command-list.js'
import { globalOptions } from '../../../src/commands/program/global-options.js'
import { ends, programInHome } from '../../commands/support.js'
import { launcher, run, runProgram, start } from '../../support/program.js'
import { read } from '../../support/source-files.js'

const { env, home, oauthLab } = programInHome()

describe('help and version', () => {
  it('name every command and every common option', async () => {
    const { code, stdout, stderr } = await oauthLab('--help', '--all')
    expect([code, stderr]).toEqual([0, ''])
    for (const { name, summary } of commandList)
      expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'))
    for (const [flags] of globalOptions) expect(stdout).toContain(flags)
  })

  it.each([[[]], [['-h']], [['help']], [['--json', '--help']]])('%j is the same help', async args => {
    expect(await oauthLab(...args)).toEqual(await oauthLab('--help'))
  })

  it.each([['--version'], ['-V']])('%s is the version of the package', async flag => {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    expect(await oauthLab(flag)).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' })
    expect((await oauthLab('--json', flag)).stdout).toBe(`${version}\n`)
  })

  it.each(['serve', 'ca', 'config'])('%s has help with an example', async name => {
    const { code, stdout, stderr } = await oauthLab(name, '--help')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/\nExamples?:\n {2}\S/)
    expect((await oauthLab('help', name)).stdout).toBe(stdout)
  })
})

describe('wrong words are one line, the nearest word and exit 2', () => {
  it.each([
    [['serv'], "unknown command 'serv'", 'Did you mean serve?'],
    [['serve', '--prot', '1'], "unknown option '--prot'", 'Did you mean --port?'],
    [
      ['flow', 'code', '--client-secret=hush'],
      "unknown option '--client-secret'",
      '--client-secret-file FILE, --client-secret-stdin or OAUTH_LAB_CLIENT_SECRET',
    ],
    [['doctor', '--password', 'hush'], "unknown option '--password'", '--user NAME --password-stdin'],
    [['serve', '--prot=1'], "unknown option '--prot=1'", 'Did you mean --port?'],
    [['learn', 'answer', '-Vx3T9kQ2'], "unknown option '-Vx3T9kQ2'", 'goes last, after  --'],
    [['serve', '--port', '-1'], '"-1" is not a port', 'A port is'],
    [['serve', '--san', 'a b/c'], '"b/c" is neither a host name nor an IP address', 'lab.example'],
  ])('%j', async (args, message, hint) => {
    const { code, stdout, stderr } = await oauthLab(...args)
    expect([code, stdout]).toEqual([2, ''])
    const [first = '', ...hints] = stderr.trimEnd().split('\n')
    expect(first).toMatch(/^oauth-lab: /)
    expect(first).toContain(message)
    expect(hints.join('\n')).toContain(hint)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('a command group alone prints its help', async () => {
    expect(await oauthLab('ca')).toMatchObject(ends(2, 'Usage: oauth-lab ca'))
  })

  it('an environment variable is named as the one that is wrong', async () => {
    const ended = await runProgram(['ca', 'path'], { env: env({ OAUTH_LAB_TIMEOUT: 'x' }) })
    expect(ended).toMatchObject(ends(2, 'OAUTH_LAB_TIMEOUT "x" is not a duration'))
  })

  it('foreign text does not reach the terminal as it is', async () => {
    const { stderr } = await oauthLab('\u001b[31mred\u0007')
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })
})

describe('a bug', () => {
  /** A copy of the program in which `ca path` throws what is no error of ours. */
  function broken(): { folder: string; launcher: string } {
    const folder = join(home(), 'broken')
    mkdirSync(folder, { recursive: true })
    const script = `process.argv.splice(2, 9, 'ca', 'path')
Object.defineProperty(process.stdout, 'write', { value: () => { throw new TypeError('boom\\u001b[31m') } })
await import(${JSON.stringify(`file://${launcher}`)})`
    writeFileSync(join(folder, 'run.mjs'), script)
    return { folder, launcher: join(folder, 'run.mjs') }
  }

  it('is one line, a report with the stack in the state folder, and exit 70', async () => {
    const { code, stderr } = await run(process.execPath, [broken().launcher], { env: env() })
    expect(code).toBe(70)
    const [first, second, ...more] = stderr.trimEnd().split('\n')
    expect(first).toMatch(/^oauth-lab: a bug in oauth-lab: TypeError: boom[^\u001b]*$/)
    expect(more).toEqual([])
    const file = second?.replace(/^ {2}Report: {2}/, '') ?? ''
    expect(readdirSync(join(home(), 'lab'))).toContain(file.split('/').at(-1))
    expect(readFileSync(file, 'utf8')).toMatch(/TypeError: boom[\s\S]*\n {4}at /)
  })

  it('shows its stack when OAUTH_LAB_DEBUG=1', async () => {
    const { stderr } = await run(process.execPath, [broken().launcher], {
      env: env({ OAUTH_LAB_DEBUG: '1' }),
    })
    expect(stderr).toMatch(/\n {4}at /)
  })
})

describe('streams and signals', () => {
  it('ends quietly when nobody reads', async () => {
    const running = start(process.execPath, [launcher, 'config', 'schema'], { env: env() })
    running.child.stdout.destroy()
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' })
  })
})

it.each(['20.18.0', '18.20.4'])('Node %s is told to be too old', version => {
  const pretend = `Object.defineProperty(process.versions,'node',{value:'${version}'})`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, launcher, '--version']
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} })
  expect(status).toBe(2)
  expect(stderr).toMatch(`oauth-lab: this is Node ${version}; oauth-lab needs 20.18.1 or later\n`)
})

it('is written in syntax that Node 10 can read, so that Node 10 prints the message too', () => {
  const code = readFileSync(launcher, 'utf8').replace(/^ *\/\/.*$|\/\*\*.*?\*\//gm, '')
  expect(code.match(/\?\?|\?\.|\|\|=|&&=|\bimport\b|\bawait\b|catch \{/g)).toBeNull()
})
