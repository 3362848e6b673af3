/** Steps to insert, delete, replace or swap one character (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1)
      }
      row.push(cost)
    }
    before = last
    last = row
  }
  return last[b.length]!
}

/** Steps between two words. The beginning of a longer word counts as one step away, and the shorter such word is nearer. */
function steps(wanted: string, word: string): number {
  const whole = distance(wanted, word)
  const more = word.length - wanted.length
  if (wanted.length < 3 || more < 1) return whole
  const beginning = distance(wanted, word.slice(0, wanted.length))
  return beginning > 1 ? whole : Math.min(whole, beginning + 1 + more / 1000)
}

/** Undefined when no candidate is near. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > 100) return undefined
  const wanted = text.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length * 0.4)) + 1
  for (const candidate of candidates) {
    if (candidate.length > 200) continue
    const d = steps(wanted, candidate.toLowerCase())
    if (d < bestDistance) {
      best = candidate
      bestDistance = d
    }
  }
  return best
}

/** Most characters of the names that a message lists. */
const MOST = 100

/** The names that there are, for a message about one that there is not: as many as there is room for. */
export function listed(names: readonly string[]): string {
  const shown: string[] = []
  for (const name of names) {
    if (shown.length > 0 && shown.join(', ').length + name.length + 2 > MOST) break
    shown.push(name)
  }
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : ''
  return `${shown.join(', ') || 'none'}${more}`
}

/** `Did you mean …?`; empty when no candidate is near. */
export function nearestHint(text: string, candidates: Iterable<string>): string[] {
  const near = nearest(text, candidates)
  return near === undefined ? [] : [`Did you mean ${near}?`]
}
