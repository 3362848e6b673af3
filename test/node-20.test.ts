import { describe, expectTypeOf, it } from 'vitest'

// `tsc` fails when tsconfig.json admits a name that the oldest supported Node does not have.
describe('the library of tsconfig.json', () => {
  it('has no name that is newer than Node 20', () => {
    expectTypeOf<PromiseConstructor>().not.toHaveProperty('withResolvers')
    expectTypeOf<ObjectConstructor>().not.toHaveProperty('groupBy')
    expectTypeOf<Set<string>>().not.toHaveProperty('union')
    expectTypeOf<ArrayBuffer>().not.toHaveProperty('transfer')
    expectTypeOf<ArrayConstructor>().not.toHaveProperty('fromAsync')
  })

  it('has the names of ES2024 that Node 20 has', () => {
    expectTypeOf<string>().toHaveProperty('isWellFormed')
  })
})
