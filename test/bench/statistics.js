/** The value below which `part` of the values are; NaN for none. */
export const quantile = (values, part) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN

export const median = values => quantile(values, 0.5)

/** The middle of what was measured in each round, and the range of the middle half: `1.08  (1.05-1.12)`. */
export const spread = (values, digits = 2) =>
  [median(values), ...[0.25, 0.75].map(part => quantile(values, part))].map(each => each.toFixed(digits))

/** True for a ratio that keeps to its aim, such as `<= 1.35`. */
export function isMet(ratio, aim) {
  const [sign, limit] = aim.split(' ')
  return sign === '<=' ? Number(ratio) <= Number(limit) : Number(ratio) >= Number(limit)
}

/** Prints rows of cells, the first one to the left. */
export function printTable(heads, rows) {
  const all = [heads, ...rows]
  const widths = heads.map((_, i) => Math.max(...all.map(row => (row[i] ?? '').length)))
  for (const row of all) {
    const cells = widths.map((width, i) =>
      i === 0 ? (row[i] ?? '').padEnd(width) : (row[i] ?? '').padStart(width),
    )
    console.log(cells.join('  ').trimEnd())
  }
}
