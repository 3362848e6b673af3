// Runs the commands of the console blocks of README.md and docs/, and compares what they print with the pages.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blocksOf, drawing, pages } from '../../support/pages.js'
import {
  cleanEnv,
  commandFolder,
  jsonLines,
  run,
  runProgram,
  startProgram,
  temporaryFolder,
  until,
} from '../../support/program.js'
import { describeWith } from '../../support/requires.js'
import { sharedFolder } from '../../support/shared.js'
import { openTerminal } from '../terminal.js'
import { normal } from './normal.js'

const home = sharedFolder()
const path = `${commandFolder(home.path)}:${process.env.PATH}`
const env = cleanEnv(home.path, { PATH: path })

/** Each command with its output on every page that shows it. Commands on two pages run once. */
const outputs = new Map<string, { page: string; output: string }[]>()
for (const page of pages) {
  for (const block of blocksOf(page, 'console')) {
    const [first = '', ...output] = block.split('\n')
    const command = first.replace(/^\$ /, '')
    outputs.set(command, [...(outputs.get(command) ?? []), { page, output: output.join('\n') }])
  }
}

function expectOnEveryPage(command: string, printed: string): void {
  for (const { page, output } of outputs.get(command) ?? []) {
    expect(normal(printed), page).toEqual(normal(output))
  }
}

describe('the pages print what the program prints', () => {
  for (const command of outputs.keys()) {
    if (command === 'oauth-lab serve') continue
    describeWith(/\bjq\b/.test(command) ? ['jq'] : [], command, () => {
      it('prints the same', async () => {
        const { stdout } = await run('sh', ['-c', `{ ${command}\n} 2>&1`], { env })
        expectOnEveryPage(command, stdout)
      })
    })
  }

  it('have the lines that serve prints', async () => {
    const serving = startProgram(['serve', '--port', '0', '--http-port', '0'], { env })
    const last = 'Ctrl-C stops it.'
    await until(
      () => (serving.stdout().includes(last) ? true : undefined),
      () => serving.stdout() + serving.stderr(),
    )
    serving.child.kill('SIGINT')
    await serving.ended
    const [greeting = ''] = serving.stdout().split(`${last}\n`, 1)
    expect(outputs.get('oauth-lab serve')).toHaveLength(2)
    expectOnEveryPage('oauth-lab serve', `${greeting}${last}`)
  })

  it('have a lab file that works', async () => {
    const [lab = ''] = blocksOf('docs/reference/lab-file.md', 'yaml')
    const file = join(home.path, 'page.yaml')
    writeFileSync(file, lab)
    expect(await runProgram(['config', 'check', file], { env })).toMatchObject({ code: 0, stderr: '' })
    const flow = ['flow', 'code', '--config', file, '--json', '--user', 'dora', '--client']
    for (const client of ['web', 'phone']) {
      const { code, stdout, stderr } = await runProgram([...flow, client], { env })
      expect(code, stderr).toBe(0)
      expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'granted', tokens: { scope: 'notes:read' } })
    }
  })
})

describeWith(['tmux', 'ps'], 'docs/serving.md, the screen', () => {
  it('draws the dashboard that the page shows', { timeout: 60_000 }, async () => {
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
      const screen = await terminal.shows(/following · 2[\s\S]*\[3 Tokens\]/)
      expect(normal(screen)).toEqual(normal(drawing('docs/serving.md', '1 Requests')))
    } finally {
      terminal.close()
      lab.remove()
    }
  })
})
