import { Argument, Command } from 'commander'
import { UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import { commandList } from '../command-list.js'
import { print, writeHelp } from '../output/output.js'
import { parserOf } from './command.js'
import { rootHelp, wholeRootHelp } from './root-help.js'
import { docPage, docPages, type Topic, topics } from './topics.js'

const examples = `
Examples:
  oauth-lab help exit-codes
  oauth-lab help flow code --all
  oauth-lab help lab-file
`

const isCommand = (word: string) => commandList.some(({ name }) => name === word)

/** @param near the nearest name; left out: that of all topics, pages and commands */
function unknown(word: string, near?: readonly string[]): UsageError {
  const named = topics.map(({ name }) => name)
  const all = () => [...named, ...docPages().keys(), ...commandList.map(({ name }) => name)]
  return new UsageError(`there is no help on ${JSON.stringify(word)}`, [
    ...(near ?? nearestHint(word, all())),
    `Topics: ${named.join(', ')}`,
    'Pages:     oauth-lab help index',
    'Commands:  oauth-lab --help',
  ])
}

/** The help of a command, such as `flow code`. @throws UsageError */
export async function commandHelp([first = '', ...more]: readonly string[], all: boolean): Promise<string> {
  const listed = commandList.find(({ name }) => name === first)
  if (listed === undefined) throw unknown(first)
  let command = parserOf(await listed.load(), all)
  // Its usage line begins with the program.
  new Command('oauth-lab').addCommand(command)
  for (const word of more) {
    const below = command.commands.find(each => each.name() === word)
    if (below === undefined) {
      throw unknown(
        [first, ...more].join(' '),
        nearestHint(
          word,
          command.commands.map(each => each.name()),
        ),
      )
    }
    command = below
  }
  let text = ''
  command.configureOutput({
    writeOut: part => {
      text += part
    },
  })
  command.outputHelp()
  return text
}

/** Columns of a terminal that everybody has. */
const COLUMNS = 80

/** The lines of a topic, cut to the terminal under where their text begins. */
export async function topicLines(topic: Topic): Promise<string[]> {
  const { wrap } = await import('../../show/render/text/text.js')
  return (await topic.lines()).flatMap(line => {
    const [, head = '', text = ''] = /^( *(?:\S+ {2,})?)(.*)$/.exec(line) ?? []
    const [first = '', ...more] = wrap(text, COLUMNS - head.length)
    return [head + first, ...more.map(each => ' '.repeat(head.length) + each)]
  })
}

/** `oauth-lab help`: a topic, the same as `--help` of a command, or a page of docs/. */
export function helpCommand(): Command {
  return new Command('help')
    .description('help on a topic, on a command, or a page of the documents')
    .addArgument(new Argument('[topic...]', 'a topic, the name of a command, or of a page'))
    .helpOption('-h, --help', 'help')
    .option('--all', 'every option and every example of a command')
    .addHelpText('after', examples)
    .action(async (words: readonly string[], { all = false }: { readonly all?: boolean }) => {
      const [word = ''] = words
      const topic = topics.find(({ name }) => name === word)
      if (words.length === 0) return writeHelp(all ? wholeRootHelp() : rootHelp())
      if (topic && words.length === 1) return print(...(await topicLines(topic)))
      const page = words.length > 1 || isCommand(word) ? undefined : docPages().get(word)
      if (page) print(docPage(page).trimEnd())
      else await writeHelp(await commandHelp(words, all))
    })
}
