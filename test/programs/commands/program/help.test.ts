import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandGroups, commandList } from '../../../../src/commands/command-list.js'
import { EXIT } from '../../../../src/commands/program/exit.js'
import { commandHelp, topicLines } from '../../../../src/commands/program/help.js'
import { ENVIRONMENT, environmentTopic, exitCodes } from '../../../../src/commands/program/help-topics.js'
import { wholeProgram } from '../../../../src/commands/program/program.js'
import { rootHelp, wholeRootHelp } from '../../../../src/commands/program/root-help.js'
import { topics } from '../../../../src/commands/program/topics.js'
import { STAGE_NAMES } from '../../../../src/servers/authorization-server/stages/stages.js'
import { width } from '../../../../src/show/render/text/text.js'
import { programInHome } from '../../../commands/support.js'
import { withSubcommands, wordsOf } from '../../../support/commands.js'
import { filesBelow, root } from '../../../support/source-files.js'

const { oauthLab } = programInHome()
const linesOf = async (name: string) => (await topics.find(each => each.name === name)?.lines()) ?? []

describe('the topics', () => {
  it('are listed by the help of the program, beside the commands', () => {
    for (const { name, summary } of [...topics, ...commandList]) {
      expect(wholeRootHelp()).toMatch(new RegExp(`^ {2}${name} +${summary.slice(0, 10)}`, 'm'))
      expect(rootHelp()).toMatch(new RegExp(`\\b${name}\\b`))
    }
  })

  it('and the commands fit a terminal of 24 lines, each command in one group', () => {
    const lines = rootHelp().trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(lines.filter(line => width(line) > 80)).toEqual([])
    expect(commandGroups.length).toBe(5)
    const first = lines.flatMap(line => /^ {2}([\w-]+) {2,}/.exec(line)?.[1] ?? [])
    const others = lines.flatMap(line => /^ {2}also: (.*)/.exec(line)?.[1]?.split(', ') ?? [])
    expect([...first, ...others].sort()).toEqual(commandList.map(({ name }) => name).sort())
  })

  it('say what the code says', async () => {
    const stages = await linesOf('stages')
    expect(stages.filter(line => STAGE_NAMES.some(name => name === line))).toEqual([...STAGE_NAMES])
    expect((await linesOf('profiles')).join('\n')).toContain('milliseconds, exp = iat + 3600')
    expect(exitCodes.map(({ code }) => code)).toEqual(Object.values(EXIT))
    expect((await linesOf('exit-codes')).join('\n')).toMatch(/^ +124 {2}a wait was longer/m)
    expect((await linesOf('events')).join('\n')).toMatch(/^ {2}code\.replayed +a code came a second time/m)
  })

  it('name every variable that the program reads, and no other', () => {
    const reads =
      /(?:\benv(?:ironment)?\??\.|\bOAUTH_LAB_|['"](?=KUBERNETES_|CLOUDFLARE_))([A-Z][A-Za-z_]*[A-Z][A-Za-z_]*)\b/g
    const read = new Set(
      filesBelow('src', 'bin')
        // The settings of connect are read by other programs.
        .filter(file => /\.(ts|tsx|js)$/.test(file) && !/\/(?:help-topics|connect)\//.test(file))
        .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(reads)])
        .map(([whole, name = '']) => (whole.startsWith('OAUTH_LAB_') ? whole : name)),
    )
    const told = ENVIRONMENT.flatMap(({ variables }) => variables.flatMap(([names]) => names.split(', ')))
    expect([...read].filter(name => !told.includes(name))).toEqual([])
    expect(environmentTopic().join('\n')).toContain('OAUTH_LAB_HOME')
    expect(new Set(told).size).toBe(told.length)
  })
})

const exitCodesText = async () => topicLines(topics.find(each => each.name === 'exit-codes')!)

describe('oauth-lab help', () => {
  it('prints a topic', async () => {
    const { code, stdout } = await oauthLab('help', 'exit-codes')
    expect([code, stdout]).toEqual([0, `${(await exitCodesText()).join('\n')}\n`])
  })

  it('prints what --help prints', async () => {
    const [asked, option] = await Promise.all([
      oauthLab('help', 'flow', 'code'),
      oauthLab('flow', 'code', '--help'),
    ])
    expect(asked).toEqual(option)
    expect(asked.stdout).toMatch(/^Usage: oauth-lab flow code/)
  })

  it('shows ten options and two examples of each command, and with --all every one', async () => {
    const program = await wholeProgram()
    for (const command of withSubcommands(program)) {
      const path = wordsOf(command)
      if (path.length === 0 || path[0] === 'help') continue
      const [short, whole] = [await commandHelp(path, false), await commandHelp(path, true)]
      const options = (text: string) => text.match(/^ {2}(-\w, )?--\w.*$/gm) ?? []
      const examples = (text: string) => /\nExamples?:\n((?: .*\n)+)/.exec(text)?.[1] ?? ''
      expect(options(short).length, path.join(' ')).toBeLessThanOrEqual(10)
      const lines = examples(short).replace(/\\\n/g, '').trimEnd().split('\n')
      expect(lines.length, path.join(' ')).toBeLessThanOrEqual(2)
      expect(examples(whole)).toContain(examples(short).trimEnd())
      expect(short).toContain(`All options and examples:  oauth-lab ${path.join(' ')} --help --all`)
      for (const { flags, hidden } of command.options) if (!hidden) expect(whole).toContain(flags)
    }
  })

  it.each([
    ['--help', '--all'],
    ['help', '--all'],
    ['serve', '--help', '--all'],
    ['help', 'serve', '--all'],
    ['flow', 'code', '--all', '--help'],
  ])('%s %s %s prints everything', async (...words) => {
    const { code, stdout } = await oauthLab(...words.filter(word => word !== undefined))
    expect(code).toBe(0)
    expect(stdout).toContain('--show-secrets')
    expect(stdout.split('\n').length).toBeGreaterThan(60)
  })

  it.each([
    ['lab-file', /^# The lab file/],
    ['kubernetes', /^# .*Kubernetes/i],
    ['threat-model', /^# /],
  ])('help %s prints the page', async (page, begins) => {
    expect(await oauthLab('help', page)).toMatchObject({ code: 0, stdout: expect.stringMatching(begins) })
  })
})

it('topics fit a terminal of 80 columns', async () => {
  for (const topic of topics) {
    expect((await topicLines(topic)).filter(line => width(line) > 80)).toEqual([])
  }
})
