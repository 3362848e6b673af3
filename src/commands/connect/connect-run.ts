import { chmod } from 'node:fs/promises'
import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'
import { UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import { jsonLine } from '../../protocol/safe-output/json-line.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { writeExact } from '../../session/output/writer.js'
import { wrap } from '../../show/render/text/text.js'
import { lineWriter } from '../flow/flow-output.js'
import { narrate, print, printJson, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import {
  type ConnectedLab,
  type ConnectFlags,
  chosenClient,
  connectedLab,
  placeOf,
  staleRemarks,
} from './connect-lab.js'
import { findRecipe, loadRecipes, type Part, type Place, type Recipe } from './recipes.js'

/** Stands in the lines of the lab file in the place of a secret. */
const OWN_SECRET = 'a-secret-of-32-random-characters'

/** @throws UsageError for a program without a recipe */
async function knownRecipe(tool: string | undefined): Promise<Recipe> {
  const hints = ['All programs:   oauth-lab connect list']
  if (tool === undefined) throw new UsageError('which program is to log in?', hints)
  const recipes = await loadRecipes()
  const recipe = findRecipe(recipes, tool)
  if (recipe !== undefined) return recipe
  const names = recipes.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  throw new UsageError(`there are no settings for ${JSON.stringify(tool)}`, [
    ...nearestHint(tool, [...names, 'list']),
    ...hints,
  ])
}

/** The secret of the client. @throws UsageError for a client without one */
function secretOf(recipe: Recipe, flags: ConnectFlags, { config }: ConnectedLab): string {
  const { clientId, client } = chosenClient(recipe, flags.client, config)
  if (client === undefined) {
    throw new UsageError(`the lab file has no client ${clientId}`, [
      `Write it there:   oauth-lab connect ${recipe.name} --apply`,
    ])
  }
  const secret = client.client_secret
  if (secret === undefined) throw new UsageError(`the client ${clientId} is public: it has no secret`)
  return secret
}

function filled(recipe: Recipe, flags: ConnectFlags, lab: ConnectedLab, globals: Globals): FilledRecipe {
  const { clientId, client } = chosenClient(recipe, flags.client, lab.config)
  const { client: needed, secret, registers } = recipe
  const entry = { client_id: clientId, ...(secret ? { client_secret: OWN_SECRET } : {}), ...needed }
  const place = placeOf(lab, recipe, clientId, globals)
  const running = lab.record !== undefined
  const base = { recipe, place, running, remarks: [] }
  return client === undefined && !registers ? { ...base, missing: entry } : base
}

/** The data of `--json`. */
function recipeJson({ recipe, place, running, missing, remarks }: FilledRecipe): object {
  const { name, title, checked, needs, notes } = recipe
  const { issuer, resource, mcp, cluster, ca, clientId } = place
  return {
    name,
    title,
    checked,
    needs,
    lab: { running, issuer, resource, mcp, cluster, ca, ...(recipe.serve && { serve: recipe.serve }) },
    client: recipe.registers
      ? { registers: true }
      : { client_id: clientId, registered: missing === undefined, lab_file: missing ?? null },
    parts: recipe.parts(place),
    notes: [...remarks, ...notes],
  }
}

/** `oauth-lab connect TOOL`: the lines of a recipe, filled in from the lab that runs. */
export async function runConnect(
  tool: string | undefined,
  flags: ConnectFlags,
  globals: Globals,
): Promise<number> {
  const recipe = await knownRecipe(tool)
  if (recipe.registers && (flags.client !== undefined || flags.apply || flags.secret)) {
    throw new UsageError(`${recipe.name} registers itself, so the lab file holds no client for it`, [
      `Leave out --client, --apply and --secret:   oauth-lab connect ${recipe.name}`,
    ])
  }
  const lab = await connectedLab(globals)
  if (flags.secret) {
    await writeExact(`${secretOf(recipe, flags, lab)}\n`)
    return EXIT.done
  }
  if (flags.apply) {
    const { applyClient } = await import('./connect-apply.js')
    await applyClient(recipe, flags, lab, globals)
    return EXIT.done
  }
  const recipeHere = { ...filled(recipe, flags, lab, globals), remarks: await staleRemarks(lab) }
  if (globals.json) lineWriter(flags.output)(jsonLine(recipeJson(recipeHere)))
  else if (recipe.collection !== undefined && flags.output !== undefined) {
    const content = recipe.collection(recipeHere.place, secretOf(recipe, flags, lab))
    lineWriter(flags.output)(jsonLine(content, 2))
    // A file that was there keeps its mode, and the new content has a secret.
    await chmod(flags.output, 0o600)
    narrate(`Wrote ${flags.output}. It holds the secret of the client.`)
  } else lineWriter(flags.output)(recipeLines(recipeHere).join('\n'))
  return EXIT.done
}

/** `oauth-lab connect list`: the programs, broken between words at a terminal; with `--json` one an object. */
export async function listRecipes(_: object, { json }: Globals): Promise<void> {
  const recipes = await loadRecipes()
  if (json) {
    for (const { name, title, checked, needs, built_in = null } of recipes) {
      printJson({ name, title, checked, needs, built_in_client: built_in })
    }
    return
  }
  const width = Math.max(...recipes.map(({ name }) => name.length)) + 2
  const room = (terminalColumns() ?? Number.POSITIVE_INFINITY) - width
  for (const recipe of recipes) {
    const lines = [recipe.title, checkedWords(recipe)].flatMap(text => wrap(text, room))
    print(...lines.map((line, i) => `${(i === 0 ? recipe.name : '').padEnd(width)}${line}`))
  }
}

/** A recipe with the lab that it is filled in from. */
interface FilledRecipe {
  readonly recipe: Recipe
  readonly place: Place
  /** True when a lab answers at the address. */
  readonly running: boolean
  /** The entry that the lab file needs. Absent: the lab has the client. */
  readonly missing?: ClientEntry
  /** Notes about this lab, before those of the recipe. */
  readonly remarks: readonly string[]
}

/** Ends a file in the shell. No file of a recipe has this line. */
const END = 'END-OF-FILE'

/** The way in which a recipe was checked, as a sentence shows it. */
export function checkedWords({ checked: { version, by } }: Recipe): string {
  return by === 'test'
    ? `run by a test of oauth-lab with ${version}`
    : `read in the documentation of ${version}, not run`
}

/** A value of the lab file in YAML: a list in brackets, a word as it is, any other text in quotes. */
function yamlValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(each => JSON.stringify(each)).join(', ')}]`
  if (typeof value === 'string' && /^[A-Za-z][\w-]*$/.test(value)) return value
  return JSON.stringify(value)
}

/** The lines of a client in the lab file. */
export function labFileLines(entry: ClientEntry): string[] {
  const members = Object.entries(entry).map(([name, value]) => `${name}: ${yamlValue(value)}`)
  return ['clients:', ...members.map((member, i) => `  ${i === 0 ? '-' : ' '} ${member}`)]
}

function partLines(part: Part): string[] {
  if (part.kind !== 'file') return [...part.lines]
  return [`cat > ${shellWord(part.file)} <<'${END}'`, ...part.lines, END]
}

function clientLines({ recipe, place, missing }: FilledRecipe): string[] {
  const { clientId } = place
  if (recipe.registers) return ['client   registers itself at the lab']
  if (missing === undefined) return [`client   ${clientId}, which the lab has`]
  const command = `oauth-lab connect ${recipe.name} --apply`
  const named = clientId === recipe.name ? command : `${command} --client ${shellWord(clientId)}`
  return [
    `client   ${clientId}, which the lab file needs. This writes it, and keeps the other clients:`,
    `           ${named}`,
    ...labFileLines(missing).map(line => `           ${line}`),
  ]
}

/** A recipe as lines for a shell: what is no command is a comment, and files are written by the shell. */
export function recipeLines(filled: FilledRecipe): string[] {
  const { recipe, place, running, remarks } = filled
  const lab = running ? `${place.issuer} (running)` : `${place.issuer} (no lab answers there)`
  const start = `oauth-lab serve${recipe.serve === undefined ? '' : ` ${recipe.serve}`}`
  const head = [
    recipe.title,
    '',
    `lab      ${lab}`,
    ...(running ? [] : [`         start one first:   ${start}`]),
    ...clientLines(filled),
    `checked  ${checkedWords(recipe)}`,
    `needs    ${recipe.needs.join(', ')}`,
  ]
  const notes = [...remarks, ...recipe.notes].map(note => `- ${note}`)
  const comment = (line: string) => `# ${line}`.trimEnd()
  return [
    ...head.map(comment),
    ...recipe.parts(place).flatMap(part => ['', ...partLines(part)]),
    ...(notes.length > 0 ? ['', ...notes.map(comment)] : []),
  ]
}
