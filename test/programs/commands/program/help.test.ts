import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandList } from '../../../../src/commands/command-list.js'
import { EXIT } from '../../../../src/commands/program/exit.js'
import { topicLines } from '../../../../src/commands/program/help.js'
import { ENVIRONMENT, environmentTopic, exitCodes } from '../../../../src/commands/program/help-topics.js'
import { runProgram as parse } from '../../../../src/commands/program/program.js'
import { rootHelp } from '../../../../src/commands/program/root-help.js'
import { topics } from '../../../../src/commands/program/topics.js'
import { STAGE_NAMES } from '../../../../src/servers/authorization-server/stages/stages.js'
import { width } from '../../../../src/show/render/text/text.js'
import { programInHome } from '../../../commands/support.js'
import { filesBelow, root } from '../../../support/source-files.js'

const { oauthLab } = programInHome()
const linesOf = async (name: string) => (await topics.find(each => each.name === name)?.lines()) ?? []

describe('the topics', () => {
  it('are listed by the help of the program, beside the commands', () => {
    for (const { name, summary } of [...topics, ...commandList]) {
      expect(rootHelp()).toMatch(new RegExp(`^ {2}${name} +${summary.slice(0, 10)}`, 'm'))
    }
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

  it('refuses an unknown name, and suggests the nearest', async () => {
    const unknown = parse(['help', 'stage'], '1')
    await expect(unknown).rejects.toMatchObject({
      kind: 'usage',
      message: 'there is no help on "stage"',
      hints: expect.arrayContaining(['Did you mean stages?']),
    })
    await expect(parse(['help', 'flow', 'cod'], '1')).rejects.toMatchObject({ kind: 'usage' })
  })
})

it('topics fit a terminal of 80 columns', async () => {
  for (const topic of topics) {
    expect((await topicLines(topic)).filter(line => width(line) > 80)).toEqual([])
  }
})
