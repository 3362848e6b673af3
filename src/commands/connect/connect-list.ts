import type { Command } from 'commander'
import { wrap } from '../../show/render/text/text.js'
import { print, printJson, terminalColumns } from '../output/output.js'
import { readGlobals } from '../program/globals.js'
import { recipes } from './recipes/recipes.js'
import { checkedWords } from './recipes/text.js'

/** `oauth-lab connect list`: the programs, broken between words at a terminal; with `--json` one an object. */
export async function listRecipes(_: unknown, command: Command): Promise<void> {
  if (readGlobals(command).json) {
    for (const { name, title, checked, needs, builtIn = null } of recipes) {
      printJson({ name, title, checked, needs, built_in_client: builtIn })
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
