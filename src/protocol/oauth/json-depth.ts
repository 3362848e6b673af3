/**
 * True for a JSON value that is nested deeper than a limit. Not recursive, because the depth is a stranger's choice, and
 * parsers behind it may be.
 */
export function isDeeper(json: unknown, limit: number): boolean {
  let level: unknown[] = [json]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    level = level.flatMap(each => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return false
}
