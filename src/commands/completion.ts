import { Argument, Command } from 'commander'
import { WEAK_NAMES } from '../protocol/rules/weak-modes.js'
import type { WordList } from './completion/word-lists.js'
import { withGlobals } from './program/globals.js'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

const examples = `
Examples:
  eval "$(oauth-lab completion bash)"
  mkdir -p ~/.local/share/bash-completion/completions
  oauth-lab completion bash > ~/.local/share/bash-completion/completions/oauth-lab
  source <(oauth-lab completion zsh)
  oauth-lab completion fish | source
  oauth-lab completion powershell | Out-String | Invoke-Expression
`

const scripts: Readonly<
  Record<(typeof SHELLS)[number], () => Promise<(lists: readonly WordList[]) => string>>
> = {
  bash: async () => (await import('./completion/bash.js')).bashCompletion,
  zsh: async () => (await import('./completion/zsh.js')).zshCompletion,
  fish: async () => (await import('./completion/fish.js')).fishCompletion,
  powershell: async () => (await import('./completion/powershell.js')).powershellCompletion,
}

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
    import('./completion/word-lists.js'),
    import('../lab/lab-file/config.js'),
    import('../judge/tamper/moves.js'),
    import('./program/help-topics/topics.js'),
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

/** `oauth-lab completion SHELL`: a script that makes the shell complete commands, options and names. */
export function completionCommand(): Command {
  return withGlobals(new Command('completion'))
    .description('print a script that makes a shell complete commands, options and names')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .addHelpText('after', examples)
    .action(async (shell: (typeof SHELLS)[number], _options: unknown, { parent }: Command) => {
      if (parent === null) throw new Error('completion is a command of the program')
      const [script, lists] = await Promise.all([scripts[shell](), programWords(parent)])
      process.stdout.write(script(lists))
    })
}
