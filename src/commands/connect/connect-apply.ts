import { randomBytes } from 'node:crypto'
import { chmod, readFile, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { ParsedNode } from 'yaml'
import { checkLabText, DEFAULT_LAB_FILE, loadLabConfig } from '../../lab/lab-file/config.js'
import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { shellWord } from '../../protocol/safe-output/shell.js'
import { parsedJson } from '../../protocol/values.js'
import { parseYaml } from '../../protocol/yaml-text.js'
import { print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { type ConnectedLab, type ConnectFlags, chosenClient, fileToWrite } from './connect-lab.js'
import type { Recipe } from './recipes.js'

/** The text of a file; undefined when it is missing. @throws UsageError for one that cannot be read */
async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new UsageError(`cannot read the lab file ${file}: ${fileProblem(error)}`)
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
    throw new UsageError(`cannot write the lab file ${file}: ${fileProblem(error, NO_FOLDER)}`)
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

/** Lines that differ between two texts: those that went and those that came, without the lines that both have around them. */
interface LineChange {
  /** Number of the first line, from 1. */
  readonly line: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** The lines in which two texts differ, as one block. */
export function lineChange(before: string, after: string): LineChange {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start += 1
  let end = 0
  const most = Math.min(old.length, now.length) - start
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1
  return {
    line: start + 1,
    removed: old.slice(start, old.length - end),
    added: now.slice(start, now.length - end),
  }
}

const NOTE = 'This list replaces the built-in clients, which come first.'

type Yaml = typeof import('yaml')
type YamlDocument = Awaited<ReturnType<typeof parseYaml>>['document']

/** Clients as lines of a list, its marks at a column. */
function listLines(clients: readonly ClientEntry[], column: number, { stringify }: Yaml): string {
  const indent = ' '.repeat(column)
  return stringify(clients, { lineWidth: 0 })
    .trimEnd()
    .split('\n')
    .map(line => `${indent}${line}\n`)
    .join('')
}

/** Puts lines into a text, at the end of the line that an offset is in; at the offset where a line begins there. */
function inserted(text: string, offset: number, lines: string): string {
  const end = text.indexOf('\n', Math.max(offset - 1, 0))
  if (end < 0) return `${text}\n${lines}`
  return `${text.slice(0, end + 1)}${lines}${text.slice(end + 1)}`
}

/** The text with new lines in it, and no other change. Undefined for a file in brackets, or with an empty list. */
function withLines(
  text: string,
  { document, added }: { readonly document: YamlDocument; readonly added: readonly ClientEntry[] },
  yaml: Yaml,
): string | undefined {
  const { contents } = document
  if (!yaml.isMap(contents) || contents.flow) return undefined
  const list = document.get('clients', true)
  if (list === undefined) {
    const lines = `clients:\n  # ${NOTE}\n${listLines(added, 2, yaml)}`
    return `${text}${text.endsWith('\n') ? '' : '\n'}${lines}`
  }
  if (!yaml.isSeq(list) || list.flow || !list.range) return undefined
  const last = list.items.at(-1)
  if (!yaml.isNode(last) || !last.range) return undefined
  const column = list.range[0] - (text.lastIndexOf('\n', list.range[0]) + 1)
  return inserted(text, last.range[1], listLines(added, column, yaml))
}

/** True for a text whose list of clients has the entry at its end. */
async function endsWith(text: string, entry: ClientEntry, length: number): Promise<boolean> {
  const value = await parseYaml(text).then(
    parsed => parsed.value as { clients?: unknown[] } | null,
    () => null,
  )
  const clients = value?.clients ?? []
  return clients.length === length && isDeepStrictEqual(clients.at(-1), entry)
}

/**
 * Adds a client to the text of a lab file. Comments and the order stay. Other lines stay too, but in a file whose clients stand in brackets.
 * @param text the file; empty for a new one
 * @param builtIn clients to put before it where the file has no list: a list replaces the built-in one
 */
export async function withClient(
  text: string,
  entry: ClientEntry,
  builtIn: readonly ClientEntry[],
): Promise<string> {
  const file = parsedJson(text) as { clients?: ClientEntry[] } | null | undefined
  if (file !== undefined) {
    const clients = [...(file?.clients ?? builtIn), entry]
    return `${JSON.stringify({ ...file, clients }, undefined, 2)}\n`
  }
  const yaml = await import('yaml')
  const { document, value } = await parseYaml(text === '' ? '{}' : text)
  const { clients } = (value ?? {}) as { clients?: unknown[] | null }
  const added = clients === undefined ? [...builtIn, entry] : [entry]
  const same = withLines(text, { document, added }, yaml)
  if (same !== undefined && (await endsWith(same, entry, (clients?.length ?? 0) + added.length))) return same
  if (document.contents === null || text === '') document.contents = document.createNode({}) as ParsedNode
  if (yaml.isMap(document.contents) && document.contents.items.length === 0) document.contents.flow = false
  const list = document.get('clients', true)
  if (yaml.isSeq(list) && list.items.length > 0) list.add(document.createNode(entry))
  else {
    const node = document.createNode(added)
    if (clients === undefined) node.commentBefore = ` ${NOTE}`
    document.set('clients', node)
  }
  return document.toString({ lineWidth: 0 })
}
