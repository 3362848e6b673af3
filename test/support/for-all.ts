import fc from 'fast-check'

type Arbitraries<Values extends readonly unknown[]> = {
  [K in keyof Values]: fc.Arbitrary<Values[K]>
}

/** Asserts a property for values of the arbitraries: the check throws, returns false or rejects where it does not hold. */
export async function forAll<Values extends [unknown, ...unknown[]]>(
  ...args: [...Arbitraries<Values>, check: (...values: Values) => unknown]
): Promise<void> {
  const check = args.at(-1) as (...values: Values) => unknown
  const arbitraries = args.slice(0, -1) as unknown as Arbitraries<Values>
  const property = fc.asyncProperty(...arbitraries, async (...values: Values) => check(...values) as boolean)
  await fc.assert(property)
}
