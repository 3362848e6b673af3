import { isJsonObject } from '../../../protocol/values.js'
import type { DnsRecord } from '../shapes.js'
import { Refusal, refusal } from './refusal.js'
import type { editing } from './zones.js'

/** The largest number of operations in one batch. */
const MAX_OPERATIONS = 3500

/** The results of a batch, in the order of its operations. */
export interface BatchResult {
  readonly deletes: readonly DnsRecord[]
  readonly patches: readonly DnsRecord[]
  readonly puts: readonly DnsRecord[]
  readonly posts: readonly DnsRecord[]
}

type Given = { readonly [name: string]: unknown }

function listOf(body: Given, name: string): readonly Given[] {
  const list = body[name]
  if (list === undefined || list === null) return []
  if (Array.isArray(list) && list.every(isJsonObject)) return list as Given[]
  throw refusal(400, 9207, `Request body is invalid: ${name} is a list of objects.`)
}

/** Runs one list of operations. Its errors name the failing operation. */
function run(name: string, list: readonly Given[], operation: (given: Given) => DnsRecord): DnsRecord[] {
  return list.map((given, i) => {
    try {
      return operation(given)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const source = { pointer: `/${name}/${i}` }
      throw new Refusal(
        error.status,
        error.errors.map(each => ({ ...each, source })),
      )
    }
  })
}

/**
 * Deletes, then patches, puts and posts on the edited copy. The first error ends the batch and discards the copy.
 * @throws Refusal
 */
export function runBatch(edit: ReturnType<typeof editing>, body: Given): BatchResult {
  const lists = {
    deletes: listOf(body, 'deletes'),
    patches: listOf(body, 'patches'),
    puts: listOf(body, 'puts'),
    posts: listOf(body, 'posts'),
  }
  if (Object.values(lists).reduce((sum, { length }) => sum + length, 0) > MAX_OPERATIONS) {
    throw refusal(400, 9207, `Request body is invalid: a batch has at most ${MAX_OPERATIONS} operations.`)
  }
  const idOf = ({ id }: Given) => (typeof id === 'string' ? id : '')
  return {
    deletes: run('deletes', lists.deletes, given => edit.remove(idOf(given))),
    patches: run('patches', lists.patches, given => edit.change(idOf(given), given, false)),
    puts: run('puts', lists.puts, given => edit.change(idOf(given), given, true)),
    posts: run('posts', lists.posts, given => edit.create(given)),
  }
}
