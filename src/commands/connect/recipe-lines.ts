import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import type { Part, Place, Recipe } from './recipes.js'

/** A recipe with the lab that it is filled in from. */
export interface FilledRecipe {
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
