import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  cleanEnv,
  commandFolder,
  jsonLines,
  run,
  runProgram,
  startProgram,
  temporaryFolder,
  until,
} from '../support/program.js'
import { readmeBlocks } from '../support/readme.js'
import { describeWith } from '../support/requires.js'
import { filesBelow, importsOf, read } from '../support/source-files.js'
import { enterUntil, openTerminal } from './terminal.js'

const readme = read('README.md')

const home = temporaryFolder()
afterAll(home.remove)
const path = `${commandFolder(home.path)}:${process.env.PATH}`
const env = cleanEnv(home.path, { PATH: path })

/**
 * Text without what differs from run to run: numbers, ports, paths, random values, lengths of lines, and the date that only a
 * moment of another day has: late in the evening the end of each token, after midnight what was an hour ago.
 */
function normal(text: string): string[] {
  return text
    .replace(/\S*\/ca\.pem/g, 'CA')
    .replace(/(\d{4}-)?\d\d-\d\d (?=\d\d:)/g, '')
    .replace(/[\w-]+(…|\.\.\.)[\w-]*/g, 'CUT')
    .replace(/[\w-]{30,}/g, 'LONG')
    .replace(/\d[\d,.:TZ-]*/g, '0')
    .replace(/█+[▏▎▍▌▋▊▉]?/g, 'BAR')
    .replace(/[─┄ ]+/g, ' ')
    .trimEnd()
    .split('\n')
    .map(line => line.trim())
}

describe('README.md', () => {
  for (const block of readmeBlocks('console')) {
    const [first = '', ...output] = block.split('\n')
    const command = first.replace(/^\$ /, '')
    if (command === 'oauth-lab serve') continue
    describeWith(/\bjq\b/.test(command) ? ['jq'] : [], command, () => {
      it('prints what the README says', async () => {
        const { stdout } = await run('sh', ['-c', `{ ${command}\n} 2>&1`], { env })
        expect(normal(stdout)).toEqual(normal(output.join('\n')))
      })
    })
  }

  it('has the lines that serve prints', async () => {
    const block = readmeBlocks('console').find(each => each.startsWith('$ oauth-lab serve\n')) ?? ''
    const serving = startProgram(['serve', '--port', '0', '--http-port', '0'], { env })
    const last = 'Ctrl-C stops it.'
    await until(
      () => (serving.stdout().includes(last) ? true : undefined),
      () => serving.stdout() + serving.stderr(),
    )
    serving.child.kill('SIGINT')
    await serving.ended
    const [greeting = ''] = serving.stdout().split(`${last}\n`, 1)
    expect(normal(`$ oauth-lab serve\n${greeting}${last}`)).toEqual(normal(block))
  })

  it('has a lab file that works', async () => {
    const [lab = ''] = readmeBlocks('yaml')
    const file = join(home.path, 'readme.yaml')
    writeFileSync(file, lab)
    expect(await runProgram(['config', 'check', file], { env })).toMatchObject({ code: 0, stderr: '' })
    const flow = ['flow', 'code', '--config', file, '--json', '--user', 'dora', '--client']
    for (const client of ['web', 'phone']) {
      const { code, stdout, stderr } = await runProgram([...flow, client], { env })
      expect(code, stderr).toBe(0)
      expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'granted', tokens: { scope: 'notes:read' } })
    }
  })

  it('names every package that the program is made of', () => {
    const used = filesBelow('src')
      .filter(file => /\.tsx?$/.test(file))
      .flatMap(importsOf)
      .map(({ what }) => what)
      .filter(what => !/^(src\/|node:)/.test(what))
    const table = /## Dependencies\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? ''
    const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(each => each[1]?.split(', ') ?? [])
    expect(named.length).toBeGreaterThan(10)
    expect(used.filter(name => !named.includes(name))).toEqual([])
  })
})

describeWith(['tmux', 'ps'], 'README.md, the screens', () => {
  it('draws the stepper that the README shows', async () => {
    const drawn = readmeBlocks('text').find(each => each.includes('1 Sequence')) ?? ''
    const terminal = openTerminal(80, 24)
    try {
      await terminal.shows(/^\$$/m)
      terminal.command('oauth-lab flow code --client demo')
      await terminal.shows(/step 1 of 7/)
      await enterUntil(terminal, /● 5.*◄─.*200/)
      terminal.keys('3')
      const screen = await terminal.shows(/\[3 Access token/)
      expect(normal(screen)).toEqual(normal(drawn))
    } finally {
      terminal.close()
    }
  })

  it('draws the dashboard that the README shows', { timeout: 60_000 }, async () => {
    const drawn = readmeBlocks('text').find(each => each.includes('1 Requests')) ?? ''
    const lab = temporaryFolder()
    const terminal = openTerminal(80, 24, { OAUTH_LAB_HOME: lab.path })
    try {
      await terminal.shows(/^\$$/m)
      const ports = ['port', 'http-port', 'resource-port', 'cluster-port', 'dns-port']
      terminal.command(`oauth-lab serve ${ports.map(each => `--${each} 0`).join(' ')}`)
      await terminal.shows(/following · 0/)
      const here = { env: { ...env, OAUTH_LAB_HOME: lab.path } }
      await runProgram(['flow', 'code', '--client', 'demo', '--tamper', 'reuse-code', '--plain'], here)
      await runProgram(['k8s', 'token', 'builder', '-n', 'lab', '--audience', 'api'], here)
      terminal.keys('3')
      const screen = await terminal.shows(/following · 6[\s\S]*\[3 Tokens\]/)
      expect(normal(screen)).toEqual(normal(drawn))
    } finally {
      terminal.close()
      lab.remove()
    }
  })
})
