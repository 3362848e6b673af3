import type { Command, Option } from 'commander'
import { commandGroups } from '../../src/commands/command-list.js'
import { globalOptions } from '../../src/commands/program/global-options.js'
import { wholeProgram } from '../../src/commands/program/program.js'
import { cell } from './declarations.js'

const everywhere = new Set(globalOptions.map(([flags]) => flags))

const row = (left: string, right: string): string => `| \`${cell(left)}\` | ${cell(right)} |`

/** What an option means, with what it takes and what it is when it is left out. */
function meaning({ description, argChoices, defaultValue, defaultValueDescription }: Option): string {
  const plain = typeof defaultValue === 'string' || typeof defaultValue === 'number'
  const extras = [
    ...(argChoices ? [`one of ${argChoices.map(each => `\`${each}\``).join(', ')}`] : []),
    ...(plain ? [`default ${defaultValueDescription ?? `\`${defaultValue}\``}`] : []),
  ]
  return [description, ...extras].join('; ')
}

function section(command: Command, words: readonly string[]): string[] {
  const own = command.options.filter(each => !each.hidden && !everywhere.has(each.flags))
  const args = command.registeredArguments
  const shape = args.map(each => (each.required ? `<${each.name()}>` : `[${each.name()}]`)).join(' ')
  const below = command.commands.flatMap(each => section(each, [...words, each.name()]))
  return [
    `${words.length === 2 ? '##' : '###'} ${words.join(' ')}`,
    '',
    ...(shape === '' ? [] : [`\`${words.join(' ')} ${shape}\``, '']),
    `${command.description().replace(/^./, first => first.toUpperCase())}.`,
    '',
    ...(own.length + args.length === 0
      ? []
      : [
          '| option | meaning |',
          '|---|---|',
          ...args.flatMap(each => (each.description === '' ? [] : [row(each.name(), each.description)])),
          ...own.map(each => row(each.flags, meaning(each))),
          '',
        ]),
    ...below,
  ]
}

/** docs/reference/commands.md, made of the tree of commands that parses what is typed. */
export async function commandsPage(): Promise<string> {
  const program = await wholeProgram()
  const head = [
    '# Commands and options',
    '',
    'Made of the program’s own commands by `npm run docs`; a test holds it equal to them. Examples are in',
    '`oauth-lab COMMAND --help --all`.',
    '',
    '| group | commands |',
    '|---|---|',
    ...commandGroups.map(({ title, first, more }) => {
      const links = [...first, ...more].map(({ name }) => `[${name}](#oauth-lab-${name})`)
      return `| ${title} | ${links.join(', ')} |`
    }),
    '',
    '## Options of every command',
    '',
    '| option | meaning |',
    '|---|---|',
    ...globalOptions.map(([flags, text]) => row(flags, text)),
    '',
  ]
  const commands = program.commands.flatMap(each => section(each, ['oauth-lab', each.name()]))
  return `${[...head, ...commands].join('\n').trimEnd()}\n`
}
