/** Each with the number of its last lesson. */
const PARTS = [
  { name: 'Foundations', last: 6 },
  { name: 'Tokens', last: 13 },
  { name: 'Login', last: 15 },
  { name: 'Why not', last: 20 },
  { name: 'Stronger', last: 23 },
  { name: 'Labs', last: 99 },
] as const

/** @param name `NN-name` */
export function partOf(name: string): string {
  const number = Number.parseInt(name, 10)
  return PARTS.find(({ last }) => number <= last)?.name ?? ''
}
