import { chmod } from 'node:fs/promises'
import { nearestHint } from '../../lab/lab-file/nearest.js'
import { UsageError } from '../../protocol/errors.js'
import { jsonLine } from '../../show/render/text/json-line.js'
import { wrap } from '../../show/render/text/text.js'
import { lineWriter } from '../flow/flow-output.js'
import { narrate, print, printData, printJson, terminalColumns } from '../output/output.js'
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
import { checkedWords, type FilledRecipe, recipeLines } from './recipe-lines.js'
import { findRecipe, loadRecipes, type Recipe } from './recipes.js'

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
    ...nearestHint(tool, names),
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
    printData(secretOf(recipe, flags, lab))
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
    lineWriter(flags.output)(JSON.stringify(content, undefined, 2))
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
