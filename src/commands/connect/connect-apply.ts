import { randomBytes } from 'node:crypto'
import { chmod, readFile, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { checkLabText, DEFAULT_LAB_FILE, loadLabConfig } from '../../lab/lab-file/config.js'
import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'
import { UsageError } from '../../protocol/errors.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { lineChange, withClient } from '../serve/lab-file-edit.js'
import { type ConnectedLab, type ConnectFlags, chosenClient, fileToWrite } from './connect-lab.js'
import type { Recipe } from './recipes.js'

/** The text of a file; undefined when it is missing. @throws UsageError for one that cannot be read */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new UsageError(`cannot read the lab file ${file} (${code})`)
  }
}

/** Replaces a file at once, for its owner alone: it holds a secret. A link stays a link. @throws UsageError */
async function replaceFile(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const draft = `${target}.${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    await chmod(draft, 0o600)
    await rename(draft, target)
  } catch (error) {
    await unlink(draft).catch(() => {})
    throw new UsageError(`cannot write the lab file ${file} (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** Most lines that are shown whole. A list that is new holds the built-in clients too, of which the first lines are enough. */
const MOST_LINES = 30

/** The lines that came, without most of those of the built-in clients. */
function shortened(added: readonly string[], clientId: string): string[] {
  const own = added.findLastIndex(line => line.includes('client_id') && line.includes(clientId))
  if (added.length <= MOST_LINES || own < MOST_LINES) return [...added]
  const head = added.slice(0, 4)
  return [...head, `    … ${own - head.length} more lines of the built-in clients`, ...added.slice(own)]
}

/** The line that says what the running lab knows of the change. */
function restartLine({ record }: ConnectedLab, file: string): string {
  const start =
    file === resolve(DEFAULT_LAB_FILE) ? 'oauth-lab serve' : `oauth-lab serve --config ${shellWord(file)}`
  if (record === undefined) return `No lab runs. Start one with this file:   ${start}`
  const { authorization } = record.urls
  if (record.config === file) {
    return `The lab ${authorization} read the file when it started. Stop it and start it again:   ${start}`
  }
  const other = record.config ?? 'the built-in lab file'
  return `The lab ${authorization} runs with ${other}. Stop it and start it with this file:   ${start}`
}

/** Writes the client of a recipe into the lab file, and shows the change. @throws UsageError */
export async function applyClient(
  recipe: Recipe,
  flags: ConnectFlags,
  lab: ConnectedLab,
  globals: Globals,
): Promise<void> {
  const { clientId, client } = chosenClient(recipe, flags.client, lab.config)
  const file = fileToWrite(lab, globals) ?? resolve(DEFAULT_LAB_FILE)
  if (client !== undefined) {
    if (globals.json) return printJson({ client_id: clientId, file: lab.config.file, changed: false })
    return print(`The lab has the client ${clientId}, which fits ${recipe.name}. Nothing was changed.`)
  }
  const secret = randomBytes(32).toString('hex')
  const entry: ClientEntry = {
    client_id: clientId,
    ...(recipe.secret ? { client_secret: secret } : {}),
    ...recipe.client,
  }
  const before = await textOf(file)
  const { effective } = await loadLabConfig(null)
  const after = await withClient(before ?? '', entry, effective.clients ?? [])
  await checkLabText(file, after)
  const mode = before === undefined ? 0o600 : (await stat(file)).mode & 0o777
  await replaceFile(file, after)
  if (globals.json) {
    return printJson({
      client_id: clientId,
      file,
      changed: true,
      created: before === undefined,
      running: lab.record?.config === file,
    })
  }
  const { line, removed, added } = lineChange(before ?? '', after)
  const shown = (text: string) => (globals.showSecrets ? text : text.replaceAll(secret, '…'))
  print(
    `${before === undefined ? 'Made' : 'Changed'} ${file}, from line ${line}:`,
    ...removed.filter(each => each !== '').map(each => `- ${each}`),
    ...shortened(added, clientId).map(each => `+ ${shown(each)}`.trimEnd()),
    ...(mode === 0o600 ? [] : ['The file is now readable for you alone (0600), because it holds a secret.']),
    '',
    restartLine(lab, file),
    `Then:   oauth-lab connect ${recipe.name}${flags.client === undefined ? '' : ` --client ${shellWord(flags.client)}`}`,
  )
}
