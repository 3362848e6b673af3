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

/** Undefined when no candidate is near. */
export function nearest(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > 100) return undefined
  const wanted = text.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(wanted.length * 0.4)) + 1
  for (const candidate of candidates) {
    if (candidate.length > 200) continue
    const word = candidate.toLowerCase()
    // The beginning of a longer word counts as one step away.
    const d = wanted.length > 2 && word.startsWith(wanted) && word !== wanted ? 1 : distance(wanted, word)
    if (d < bestDistance) {
      best = candidate
      bestDistance = d
    }
  }
  return best
}

/** `Did you mean …?`; empty when no candidate is near. */
export function nearestHint(text: string, candidates: Iterable<string>): string[] {
  const near = nearest(text, candidates)
  return near === undefined ? [] : [`Did you mean ${near}?`]
}
