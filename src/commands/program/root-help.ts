import { commandList } from '../command-list.js'
import { globalOptions } from './global-options.js'
import { topics } from './topics.js'

const rows = (entries: ReadonlyArray<readonly [string, string]>): string => {
  const columns = Math.max(...entries.map(([term]) => term.length)) + 2
  return entries.map(([term, meaning]) => `  ${term.padEnd(columns)}${meaning}`).join('\n')
}

/** The help of the program itself. Written without the argument parser, whose loading would take longer. */
export function rootHelp(): string {
  return `Usage: oauth-lab COMMAND [OPTIONS]

A strict OAuth 2.0 authorization server, a client and a terminal view of both sides.

Commands:
${rows([...commandList.map(({ name, summary }) => [name, summary] as const), ['help WORD', 'help on a command, or on a topic']])}

Topics of help:
${rows(topics.map(({ name, summary }) => [name, summary] as const))}

Options of every command:
${rows([...globalOptions, ['-h, --help', 'help'], ['-V, --version', 'the version']])}

State (CA, keys, running labs) is kept in OAUTH_LAB_HOME, by default the user's data folder.

Examples:
  oauth-lab flow code --client demo     step through the authorization code flow
  oauth-lab serve                       start the authorization server on https://localhost:8443
  eval "$(oauth-lab ca env)"            make other programs of this shell trust it

Exit codes: 0 done, 1 refused, 2 usage, 3 transport, 70 a bug, 124 timeout, 130 interrupted, 143 terminated
`
}
