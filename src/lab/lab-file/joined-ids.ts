/** Joins lists of ids; the same list until one of them is another list. */
export function joinedIds(...lists: readonly (() => readonly string[])[]): () => readonly string[] {
  let parts: readonly (readonly string[])[] = []
  let joined: readonly string[] = []
  return () => {
    const now = lists.map(list => list())
    if (now.length !== parts.length || now.some((part, i) => part !== parts[i])) {
      parts = now
      joined = now.flat()
    }
    return joined
  }
}
