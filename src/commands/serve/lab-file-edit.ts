import { isDeepStrictEqual } from 'node:util'
import type { ParsedNode } from 'yaml'
import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'
import { parseYaml } from '../../protocol/yaml-text.js'

/** Lines that differ between two texts: those that went and those that came, without the lines that both have around them. */
export interface LineChange {
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

/** True for a text that JSON reads, whose form is kept. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
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
  if (isJson(text)) {
    const file = JSON.parse(text) as { clients?: ClientEntry[] } | null
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
