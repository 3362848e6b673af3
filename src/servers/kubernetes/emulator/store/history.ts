import type { StoredObject, StoredResource } from './model.js'

/** One change of the store. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly resource: StoredResource
  /** The object after the change; a removed one with the version of its removal. */
  readonly object: StoredObject
  /** The object before the change; absent where it was added. */
  readonly before?: StoredObject
}

/** The latest changes of a store. Each change is one version. */
export interface History {
  /** Returns the version of the latest change. */
  version(): number
  add(change: Change): void
  /** Returns the changes after a version; undefined when some of them are forgotten, or the version is of the future. */
  after(version: number): readonly Change[] | undefined
  /** Calls `listener` at every change from now on. @returns the end of the subscription */
  subscribe(listener: (change: Change) => void): () => void
}

/** Changes that are kept. A watcher that missed more of them starts again with a list. */
const MAX_CHANGES = 1000

/** Creates a history that begins after a version. */
export function createHistory(first: number): History {
  const listeners = new Set<(change: Change) => void>()
  let changes: Change[] = []
  /** The version before the first change that is kept. */
  let forgotten = first

  return {
    version: () => forgotten + changes.length,
    add(change) {
      changes.push(change)
      // Trimmed at twice the size, so that a change costs constant time.
      if (changes.length >= 2 * MAX_CHANGES) {
        forgotten += changes.length - MAX_CHANGES
        changes = changes.slice(-MAX_CHANGES)
      }
      for (const listener of listeners) listener(change)
    },
    after(version) {
      const skipped = version - forgotten
      return skipped < 0 || skipped > changes.length ? undefined : changes.slice(skipped)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
