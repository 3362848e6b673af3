import { chmod } from 'node:fs/promises'
import { nearestHint } from '../../lab/lab-file/nearest.js'
import { UsageError } from '../../protocol/errors.js'
import { jsonLine } from '../../show/render/text/json-line.js'
import { lineWriter } from '../flow/flow-output.js'
import { narrate, printData } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { ConnectFlags } from './connect-flags.js'
import { type ConnectedLab, chosenClient, connectedLab, placeOf, staleRemarks } from './connect-lab.js'
import type { Recipe } from './recipes/recipe.js'
import { findRecipe, recipes } from './recipes/recipes.js'
import { type FilledRecipe, recipeLines } from './recipes/text.js'

/** Stands in the lines of the lab file in the place of a secret. */
const OWN_SECRET = 'a-secret-of-32-random-characters'

/** @throws UsageError for a program without a recipe */
function knownRecipe(tool: string | undefined): Recipe {
  const hints = ['All programs:   oauth-lab connect list']
  if (tool === undefined) throw new UsageError('which program is to log in?', hints)
  const recipe = findRecipe(tool)
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
  const { labFile, secret, registers } = recipe
  const entry = { client_id: clientId, ...(secret ? { client_secret: OWN_SECRET } : {}), ...labFile }
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
    parts: recipe.lines(place),
    notes: [...remarks, ...notes],
  }
}

/** `oauth-lab connect TOOL`: the lines of a recipe, filled in from the lab that runs. */
export async function runConnect(
  tool: string | undefined,
  flags: ConnectFlags,
  globals: Globals,
): Promise<number> {
  const recipe = knownRecipe(tool)
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
