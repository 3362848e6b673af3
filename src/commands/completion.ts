import type { Command } from 'commander'
import { WEAK_NAMES } from '../protocol/rules/weak-modes.js'
import { writeText } from '../session/output/writer.js'
import type { ShellName, WordList } from './completion/scripts.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

/** Every word of the program, with the names of the built-in lab. */
async function programWords(program: Command): Promise<WordList[]> {
  const [
    { wordLists },
    { loadLabConfig },
    { moves },
    { topics },
    { ruleDocuments },
    { builtInLessons },
    { loadRecipes },
  ] = await Promise.all([
    import('./completion/scripts.js'),
    import('../lab/lab-file/config.js'),
    import('../judge/tamper/moves.js'),
    import('./program/topics.js'),
    import('../protocol/rules/documents.js'),
    import('../learn/lesson-list.js'),
    import('./connect/recipes.js'),
  ])
  const { clients, users } = await loadLabConfig(null)
  const lists = wordLists(program, {
    client: clients.map(each => each.client_id),
    user: users.map(each => each.username),
    move: moves.map(each => each.name),
    weak: WEAK_NAMES,
    lesson: (await builtInLessons()).map(({ name }) => name),
    tool: (await loadRecipes()).map(({ name }) => name),
  })
  const commands = program.commands.filter(each => each.name() !== 'help')
  const subjects = [
    ...topics.map(({ name, summary }) => ({ word: name, summary })),
    ...commands.map(each => ({ word: each.name(), summary: each.summary() })),
  ]
  const documents = Object.entries(await ruleDocuments()).flatMap(([name, { title }]) =>
    /^RFC /.test(name) ? [{ word: name.replace('RFC ', ''), summary: title }] : [],
  )
  return [
    ...lists,
    { place: 'help/arguments', words: subjects, files: false },
    { place: 'rules/arguments', words: documents, files: false },
  ]
}

async function complete(shell: ShellName, _options: unknown, program: Command): Promise<void> {
  const { completionScript } = await import('./completion/scripts.js')
  writeText(await completionScript(shell, await programWords(program)))
}

/** `oauth-lab completion SHELL`: a script that makes the shell complete commands, options and names. */
export const completionCommand = command('completion', {
  description: 'print a script that makes a shell complete commands, options and names',
  words: [argument('<shell>', 'the shell', { choices: SHELLS })],
  options: everywhere,
  kind: 'bare',
  help: `
Examples:
  eval "$(oauth-lab completion bash)"
  mkdir -p ~/.local/share/bash-completion/completions
  oauth-lab completion bash > ~/.local/share/bash-completion/completions/oauth-lab
  source <(oauth-lab completion zsh)
  oauth-lab completion fish | source
  oauth-lab completion powershell | Out-String | Invoke-Expression
`,
  run: async () => complete,
})
