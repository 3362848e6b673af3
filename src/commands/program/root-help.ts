import { commandGroups, commandList, type ListedCommand } from '../command-list.js'
import { globalOptions } from './global-options.js'
import { topics } from './topics.js'

const rows = (entries: ReadonlyArray<readonly [string, string]>): string => {
  const columns = Math.max(...entries.map(([term]) => term.length)) + 2
  return entries.map(([term, meaning]) => `  ${term.padEnd(columns)}${meaning}`).join('\n')
}

const lineOf = ({ name, summary }: ListedCommand, columns: number) => `  ${name.padEnd(columns)}${summary}`

const widest = (commands: readonly ListedCommand[]) =>
  Math.max(...commands.map(({ name }) => name.length)) + 2

/** The groups of commands: those that people begin with on a line each, the others in the last line of their group. */
function groups(): string {
  const columns = widest(commandGroups.flatMap(({ first }) => first))
  return commandGroups
    .flatMap(({ title, first, more }) => {
      const others = more.map(({ name }) => name).join(', ')
      return [
        title,
        ...first.map(each => lineOf(each, columns)),
        ...(others === '' ? [] : [`  also: ${others}`]),
      ]
    })
    .join('\n')
}

/**
 * The help of the program itself, which fits a terminal of 24 lines. Written without the argument parser, whose loading
 * would take longer.
 */
export function rootHelp(): string {
  return `Usage: oauth-lab COMMAND [OPTIONS]    see, learn and test OAuth 2.0 by a lab
${groups()}
oauth-lab COMMAND --help shows what people use, COMMAND --help --all everything
oauth-lab help TOPIC: ${topics.map(({ name }) => name).join(', ')}
`
}

/** The help of the program with everything: each command, the topics, the options of every command, the exit codes. */
export function wholeRootHelp(): string {
  const columns = widest(commandList)
  const commands = commandGroups.map(({ title, first, more }) => {
    return [`${title}:`, ...[...first, ...more].map(each => lineOf(each, columns)), ''].join('\n')
  })
  return `Usage: oauth-lab COMMAND [OPTIONS]

A strict OAuth 2.0 authorization server, a client and a terminal view of both sides.

${commands.join('\n')}
Topics of help (oauth-lab help TOPIC):
${rows(topics.map(({ name, summary }) => [name, summary] as const))}

Options of every command:
${rows([...globalOptions, ['-h, --help', 'help: the options that people use; with --all, every one'], ['-V, --version', 'the version']])}

State (CA, keys, running labs) is kept in OAUTH_LAB_HOME, by default the user's data folder.

Examples:
  oauth-lab flow code --client demo     step through the authorization code flow
  oauth-lab serve                       start the authorization server on https://localhost:8443
  eval "$(oauth-lab ca env)"            make other programs of this shell trust it

Exit codes: 0 done, 1 refused, 2 usage, 3 transport, 70 a bug, 124 timeout, 130 interrupted, 143 terminated
`
}
