import { checkedWords, labFileLines } from '../../src/commands/connect/connect-run.js'
import { loadRecipes, type Place, type Recipe } from '../../src/commands/connect/recipes.js'
import { cell } from './declarations.js'

/** The lab that `oauth-lab serve` starts, with a short path for its CA. */
const place = (recipe: Recipe): Place => ({
  issuer: 'https://localhost:8443',
  resource: 'https://localhost:8444',
  mcp: 'https://localhost:8444/mcp',
  cluster: 'https://localhost:8445',
  ca: '/path/to/ca.pem',
  clientId: recipe.built_in ?? recipe.name,
  secretCommand: `oauth-lab connect ${recipe.name} --secret`,
  collectionCommand: `oauth-lab connect ${recipe.name}`,
})

const fenced = (lines: readonly string[]): string[] => ['```', ...lines, '```', '']

function clientText({ name, built_in: builtIn, secret, client, registers }: Recipe): string[] {
  if (registers) return ['It registers itself at the lab.', '']
  if (builtIn !== undefined) return [`The client \`${builtIn}\` of the built-in lab file suffices.`, '']
  const entry = { client_id: name, ...(secret ? { client_secret: '…' } : {}), ...client }
  return [
    `It needs a client in the lab file, which \`oauth-lab connect ${name} --apply\` writes:`,
    '',
    ...fenced(labFileLines(entry)),
  ]
}

function part(recipe: Recipe): string[] {
  const { name, title, needs, serve, notes } = recipe
  return [
    `## ${name}`,
    '',
    `${title}. ${checkedWords(recipe)[0]?.toUpperCase()}${checkedWords(recipe).slice(1)}. It needs ${needs.join(', ')}.`,
    ...(serve === undefined ? [] : [`Start the lab by \`oauth-lab serve ${serve}\`.`]),
    '',
    ...clientText(recipe),
    ...recipe.parts(place(recipe)).flatMap(each => {
      const head = each.kind === 'file' ? [`\`${each.file}\`:`, ''] : []
      return [...head, ...fenced(each.lines)]
    }),
    ...(notes.length === 0 ? [] : [...notes.map(note => `- ${note}`), '']),
  ]
}

const row = (recipe: Recipe): string => {
  const { name, title, built_in: builtIn, registers } = recipe
  const cells = [
    `[\`${name}\`](#${name})`,
    title,
    registers ? 'registers itself' : (builtIn ?? 'its own'),
    checkedWords(recipe),
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

/** docs/reference/connect.md, made of the recipes. */
export async function connectPage(): Promise<string> {
  const recipes = await loadRecipes()
  const lines = [
    '# Other programs',
    '',
    'For people who want another program to log in to the lab: a library, a proxy, a dashboard, a command line.',
    '',
    '`oauth-lab connect TOOL` prints the settings of a program, for the lab that runs: its addresses, its CA file and a client. The output is a script for a',
    'POSIX shell. It writes the files that the program reads; what is no command is a comment. `--json` prints the same as data, `-o FILE` writes it into a file, and for Postman and Bruno the collection.',
    'Without a running lab, the settings are for the addresses at which `oauth-lab serve` starts one.',
    '',
    'Each program is a client of the lab file. Where a built-in client suffices, the settings name it. Else they have the lines for the lab file, and',
    '`oauth-lab connect TOOL --apply` writes them: into the file of `--config`, else that of the running lab, else `oauth-lab.yaml` in this folder. Comments and the order',
    'of the file stay. A list of clients replaces the built-in one, so the built-in clients are written along with the first client of your own. The secret is',
    'new, and the file is for you alone (0600). A lab reads its file at its start, so restart it. `--client NAME` takes another client, or another name for a new one.',
    'A client of that name whose settings do not fit is an error, and stays as it is.',
    '',
    'No line has a secret in it: `oauth-lab connect TOOL --secret` prints the secret of the client into a variable or a file, from which the program reads it.',
    '',
    'The lines that a test runs are run as they are printed, with that version of the program. The lines of the others were read in the documentation of that version.',
    '',
    '| program | | client | lines |',
    '|---|---|---|---|',
    ...recipes.map(row),
    '',
    ...recipes.flatMap(part),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}
